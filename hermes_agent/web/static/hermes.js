// The one script of the dashboard. Every page can be read, and every form sent, without it.
"use strict";

// `/` goes to the search field of the page.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  const field = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (field) {
    event.preventDefault();
    field.focus();
  }
});

// On a phone the menu is folded until it is wanted.
if (matchMedia("(max-width: 48rem)").matches) {
  for (const fold of document.querySelectorAll("details.menu-fold")) fold.open = false;
}

// A form that was sent is not sent twice.
document.addEventListener("submit", (event) => {
  for (const button of event.target.querySelectorAll("button")) button.disabled = true;
});
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("button:disabled")) button.disabled = false;
});

// A form with `data-live` shows what it finds while it is filled in: the same page is asked for, and its part taken.
for (const form of document.querySelectorAll("form[data-live]")) {
  let waiting = 0;
  let asked = null;
  const show = async () => {
    const old = document.querySelector(form.dataset.live);
    const address = new URL(form.getAttribute("action") || location.pathname, location.href);
    address.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== "")).toString();
    asked?.abort();
    asked = new AbortController();
    old.classList.add("is-busy");
    try {
      const answer = await fetch(address, { signal: asked.signal, headers: { Accept: "text/html" } });
      // What is not well typed yet is left as it was.
      if (answer.ok && !answer.redirected) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = page.querySelector(form.dataset.live);
        if (fresh) old.replaceChildren(...fresh.childNodes);
        history.replaceState(null, "", address);
      }
      old.classList.remove("is-busy");
    } catch (error) {
      if (error.name !== "AbortError") old.classList.remove("is-busy");
    }
  };
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 300);
  };
  form.addEventListener("input", later);
}

// A date with `data-slider` gets a slider over the days there are; the date stays what is sent.
const DAY = 86_400_000;
for (const field of document.querySelectorAll("input[data-slider]")) {
  const first = Date.parse(field.dataset.first);
  const count = Math.round((Date.parse(field.dataset.last) - first) / DAY);
  const label = document.createElement("label");
  const slider = document.createElement("input");
  label.className = "slider";
  label.append("Go back in time", slider);
  slider.type = "range";
  slider.max = count;
  const follow = () => {
    slider.value = field.value ? Math.round((Date.parse(field.value) - first) / DAY) : count;
    slider.setAttribute("aria-valuetext", field.value || "today");
  };
  slider.addEventListener("input", () => {
    const day = new Date(first + slider.value * DAY).toISOString().slice(0, 10);
    field.value = Number(slider.value) === count ? "" : day;
    slider.setAttribute("aria-valuetext", field.value || "today");
  });
  field.addEventListener("input", follow);
  follow();
  field.closest("label").after(label);
// How full a note would be, while it is written; entries are counted with the lines between them.
for (const field of document.querySelectorAll("textarea[data-most]")) {
  const gauge = document.getElementById(field.getAttribute("aria-describedby"));
  field.addEventListener("input", () => {
    const size = [...field.value.trim()].length;
    gauge.querySelector("meter").value = size;
    gauge.querySelector("output").textContent = size.toLocaleString("en");
  });
}
