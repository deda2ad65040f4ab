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

// On a phone the menu is folded until it is wanted; where there is room again, it cannot be folded.
const phone = matchMedia("(max-width: 48rem)");
const foldMenu = () => {
  for (const fold of document.querySelectorAll("details.menu-fold")) fold.open = !phone.matches;
};
foldMenu();
phone.addEventListener("change", foldMenu);

// A form that was sent is not sent twice.
document.addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  // Later: what a button says is only sent while it is not disabled.
  const buttons = [...event.target.querySelectorAll("button:enabled")];
  setTimeout(() => {
    for (const button of buttons) {
      button.disabled = true;
      button.dataset.sent = "";
    }
  });
});
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("button[data-sent]")) button.disabled = false;
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
}

// How full a note would be, while it is written; entries are counted with the lines between them.
for (const field of document.querySelectorAll("textarea[data-most]")) {
  const gauge = document.getElementById(field.getAttribute("aria-describedby"));
  field.addEventListener("input", () => {
    const size = [...field.value.trim()].length;
    gauge.querySelector("meter").value = size;
    gauge.querySelector("output").textContent = size.toLocaleString("en");
  });
}

// The chat: what is said goes to /api/chat, and what happens comes back as events.
document.documentElement.classList.add("scripted");

function grown(parent, tag, kind, text) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  if (text) made.textContent = text;
  parent.append(made);
  return made;
}

async function* serverEvents(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    held += value;
    let end;
    while ((end = held.indexOf("\n\n")) >= 0) {
      const lines = held.slice(0, end).split("\n");
      held = held.slice(end + 2);
      const field = (name) => lines.filter((l) => l.startsWith(name)).map((l) => l.slice(name.length)).join("\n");
      if (field("event: ")) yield { name: field("event: "), data: JSON.parse(field("data: ")) };
    }
  }
}

class Talk {
  constructor(form) {
    this.form = form;
    this.list = document.getElementById("talk");
    this.stopper = form.querySelector("[data-stop]");
    this.words = null;
    form.addEventListener("submit", (event) => { event.preventDefault(); this.say(); });
    this.stopper.addEventListener("click", () => this.post(`/api/chat/${this.turn}/stop`, {}));
    form.message.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      if (!this.isBusy) form.requestSubmit();
    });
  }
  post(path, body, more = {}) {
    const csrf = document.querySelector("meta[name=csrf]").content;
    const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrf, ...more };
    return fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  }
  said(role, text) {
    const line = grown(this.list, "li", `said ${role}`);
    grown(line, "span", "who", role === "user" ? "You" : "Hermes");
    const words = grown(line, "p", "words", text);
    line.scrollIntoView({ block: "nearest" });
    return words;
  }
  deed(kind, title, text) {
    const fold = grown(grown(this.list, "li", kind), "details");
    grown(fold, "summary", "", title);
    grown(fold, "pre", "", text);
    this.words = null;
    return fold;
  }
  busy(isBusy) {
    this.isBusy = isBusy;
    this.list.setAttribute("aria-busy", isBusy);
    this.stopper.hidden = !isBusy;
    for (const button of this.form.querySelectorAll("button:not([data-stop])")) button.disabled = isBusy;
    this.stopper.disabled = false;
  }
  async say() {
    const message = this.form.message.value;
    if (!message.trim()) return this.busy(false);
    const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16)).join("-");
    this.said("user", message);
    this.form.message.value = "";
    this.words = null;
    this.busy(true);
    try {
      const session = this.form.session.value || null;
      const answer = await this.post("/api/chat", { message, session }, { "Idempotency-Key": key });
      if (!answer.ok) {
        const problem = await answer.json();
        if (answer.status === 401) this.loggedOut();
        else this.fail([problem.detail, problem.hint]);
        this.form.message.value = message;
      } else for await (const event of serverEvents(answer.body)) this.show(event.name, event.data);
    } catch {
      this.fail(["The connection broke. What was said is kept: load the page again."]);
    }
    this.busy(false);
    this.form.message.focus();
  }
  fail(parts) {
    const line = grown(this.list, "li", "said failed");
    const words = grown(line, "span", "words", parts.filter(Boolean).join(" "));
    words.setAttribute("role", "alert");
    return words;
  }
  loggedOut() {
    const words = this.fail(["Your login has ended, and this was not said. Copy what you wrote, then "]);
    const way = grown(words, "a", "", "log in again");
    way.href = `/login?next=${encodeURIComponent(location.pathname + location.search)}`;
  }
  show(name, data) {
    if (name === "begun") {
      this.turn = data.turn;
      for (const field of document.querySelectorAll("input[name=session]")) field.value = data.session_id;
      history.replaceState(null, "", `/chat?session=${encodeURIComponent(data.session_id)}`);
    } else if (name === "text") {
      this.words = this.words || this.said("assistant", "");
      this.words.append(data.text);
      this.words.scrollIntoView({ block: "end" });
    } else if (name === "recalled") {
      const text = data.memories.map((m) => `${m.when} ${m.who} (${m.where}): ${m.text}`).join("\n");
      const count = data.memories.length;
      this.deed("recalled", `Recalled ${count} ${count === 1 ? "memory" : "memories"}`, text);
    } else if (name === "tool") {
      this.deed("deed", `Uses ${data.call.name}`, data.call.arguments);
    } else if (name === "result") {
      this.deed(data.is_error ? "deed failed" : "deed", data.call.name + (data.is_error ? " failed" : " answered"), data.text);
    } else if (name === "approval") {
      this.ask(data);
    } else if (name === "decided") {
      this.asked?.remove();
      if (!data.is_answered) this.deed("deed", "Nobody answered in time: not allowed", "");
    } else if (name === "warned") {
      this.deed("deed", data.text, "");
    } else if (name === "redacted") {
      this.deed("deed", `A secret (${data.kinds.join(", ")}) was taken out before anything was kept.`, "");
    } else if (name === "compacted") {
      this.deed("deed", `${data.count} earlier messages left the window; a summary stands for them.`, "");
    } else if (name === "failed") {
      this.fail([data.detail, data.hint]);
    } else if (name === "finished") {
      if (data.ending === "interrupted") grown(this.list, "li", "dim", "Stopped. What was said is kept.");
    }
  }
  ask(data) {
    this.asked = grown(this.list, "li");
    const notice = grown(this.asked, "div", "notice warning");
    notice.setAttribute("role", "alert");
    grown(notice, "span", "words", data.question);
    for (const [title, is_allowed] of [["Allow", true], ["Do not allow", false]]) {
      const button = grown(notice, "button", "", title);
      button.type = "button";
      button.addEventListener("click", () => this.post(`/api/chat/${this.turn}/approval`, { id: data.id, is_allowed }));
    }
    this.asked.querySelector("button:last-of-type").focus();
    this.words = null;
  }
}

for (const form of document.querySelectorAll("form[data-chat]")) new Talk(form);
