"use strict";
for (const form of document.querySelectorAll("form.filter")) {
  const list = document.getElementById(form.dataset.list);
  const items = [...list.querySelectorAll("[data-item]")];
  const groups = [...list.querySelectorAll("[data-group]")];
  const status = form.querySelector("[role=status]");
  const [text, tone] = [form.elements.text, form.elements.tone];
  let texts = null;
  const apply = () => {
    texts ??= items.map((item) => item.textContent.toLowerCase());
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    items.forEach((item, place) => {
      const isTone = !tone || !tone.value || item.dataset.item === tone.value;
      item.hidden = !(isTone && words.every((word) => texts[place].includes(word)));
      shown += !item.hidden;
    });
    for (const group of groups) group.hidden = !group.querySelector("[data-item]:not([hidden])");
    const all = words.length === 0 && !(tone && tone.value);
    status.textContent = all ? "" : `${shown.toLocaleString("en")} of ${items.length.toLocaleString("en")} shown`;
  };
  for (const kind of ["input", "change"]) form.addEventListener(kind, apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  if (text.value || (tone && tone.value)) apply();
}
