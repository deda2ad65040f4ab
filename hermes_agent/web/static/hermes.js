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

// How full a note would be, while it is written; entries are counted with the lines between them.
for (const field of document.querySelectorAll("textarea[data-most]")) {
  const gauge = document.getElementById(field.getAttribute("aria-describedby"));
  field.addEventListener("input", () => {
    const size = [...field.value.trim()].length;
    gauge.querySelector("meter").value = size;
    gauge.querySelector("output").textContent = size.toLocaleString("en");
  });
}
