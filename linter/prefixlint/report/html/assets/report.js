"use strict";
(() => {
  const id = (name) => document.getElementById(name);
  const root = document.documentElement;
  const theme = id("theme");
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  const table = id("overview");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const section = id("details");
  const details = new Map([...section.querySelectorAll("details")].map((each) => [each.id, each]));
  const detailOf = (row) => details.get("t" + row.dataset.n);

  // Sorting: a button in each head; rows and details follow the same order.
  const heads = [...table.tHead.rows[0].cells];
  const collator = new Intl.Collator(undefined, { numeric: true });
  const sort = (column, descending) => {
    const value = (row) => row.cells[column].dataset.v;
    const compare = heads[column].dataset.kind === "number"
      ? (a, b) => Number(value(a)) - Number(value(b))
      : (a, b) => collator.compare(value(a), value(b));
    rows.sort((a, b) => (descending ? compare(b, a) : compare(a, b)) || Number(a.dataset.n) - Number(b.dataset.n));
    body.append(...rows);
    section.append(...rows.map(detailOf));
    heads.forEach((head, at) => {
      if (at === column) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      sort(column, now ? now === "ascending" : head.dataset.kind === "number");
    });
  });

  // Filter: every word must occur; details follow the rows.
  const controls = id("filter");
  controls.hidden = false;
  const filter = () => {
    const words = id("words").value.toLowerCase().split(/\s+/).filter(Boolean);
    const life = id("life").value;
    const lost = id("lost").checked;
    let shown = 0;
    for (const row of rows) {
      const data = row.dataset;
      const fits = words.every((word) => data.words.includes(word)) && (!life || data.life === life) &&
        (!lost || data.lost === "1");
      row.hidden = detailOf(row).hidden = !fits;
      shown += fits;
    }
    id("count").textContent = `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")} shown`;
  };
  controls.addEventListener("input", filter);
  filter();

  // A link in the overview opens what it leads to.
  const open = () => {
    const found = details.get(location.hash.slice(1));
    if (!found) return;
    found.open = true;
    found.scrollIntoView();
    found.querySelector("summary").focus({ preventScroll: true });
  };
  addEventListener("hashchange", open);
  table.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (link && link.hash === location.hash) open();
  });
  // Once laid out: what is not cannot take the focus.
  addEventListener("load", open);
  const tools = section.querySelector(".tools");
  tools.hidden = false;
  const all = (state) => details.forEach((each) => { if (!each.hidden) each.open = state; });
  id("open").addEventListener("click", () => all(true));
  id("close").addEventListener("click", () => all(false));

  // Pieces: pointing at one, in the bar or in the text, or moving with the arrow keys, tells its tokens.
  const pick = (detail, number, scroll) => {
    detail.querySelectorAll(".on").forEach((each) => each.classList.remove("on"));
    const same = detail.querySelectorAll(`[data-s="${number}"]`);
    same.forEach((each) => each.classList.add("on"));
    const piece = detail.querySelector(`.s[data-s="${number}"]`);
    const tip = detail.querySelector(".tip");
    tip.textContent = piece ? piece.title || piece.dataset.tip : "framing by the chat format";
    if (piece && scroll) piece.scrollIntoView({ block: "nearest" });
    detail.dataset.at = number;
  };
  const point = (event) => {
    const piece = event.target.closest("[data-s]");
    if (piece) pick(piece.closest("details"), piece.dataset.s, false);
  };
  section.addEventListener("pointerover", point);
  section.addEventListener("click", point);
  section.addEventListener("keydown", (event) => {
    if (!event.target.classList.contains("prompt")) return;
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (!(event.key in steps) && event.key !== "Home" && event.key !== "End") return;
    event.preventDefault();
    const detail = event.target.closest("details");
    const pieces = [...event.target.querySelectorAll(".s")];
    if (!pieces.length) return;
    const at = pieces.findIndex((each) => each.dataset.s === detail.dataset.at);
    const next = event.key === "Home" ? 0 : event.key === "End" ? pieces.length - 1
      : Math.min(pieces.length - 1, Math.max(0, at + steps[event.key]));
    pick(detail, pieces[next].dataset.s, true);
  });
})();
