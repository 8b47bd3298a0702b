"use strict";
// Every head of a sortable table becomes a button. Numbers are sorted by data-v, texts as people count; what is empty
// and the rows that sum up stay at the end.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const first = Array.from(body.rows);
  if (first.length < 2) continue;
  const key = (row, k) => {
    const cell = row.cells[k];
    if (cell.classList.contains("n")) return cell.dataset.v === undefined ? null : Number(cell.dataset.v);
    return cell.textContent === "" ? null : cell.textContent;
  };
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, k) => {
    const button = document.createElement("button");
    button.type = "button";
    while (head.firstChild) button.append(head.firstChild);
    head.append(button);
    button.addEventListener("click", () => {
      const was = head.getAttribute("aria-sort");
      const now = was === null ? "ascending" : was === "ascending" ? "descending" : null;
      heads.forEach(h => h.removeAttribute("aria-sort"));
      const rows = first.slice();
      if (now !== null) {
        head.setAttribute("aria-sort", now);
        const sign = now === "ascending" ? 1 : -1;
        rows.sort((a, b) => {
          const last = a.classList.contains("last") - b.classList.contains("last");
          if (last) return last;
          const x = key(a, k), y = key(b, k);
          if (x === null || y === null) return (x === null) - (y === null);
          return sign * (typeof x === "number" ? x - y : x.localeCompare(y, "en", {numeric: true}));
        });
      }
      body.append(...rows);
    });
  });
}
// A table that has more columns than there is room fades at that end.
const fade = box => box.classList.toggle("wider", box.scrollWidth - box.clientWidth - box.scrollLeft > 1);
const boxes = document.querySelectorAll(".scroll");
const fadeAll = () => boxes.forEach(fade);
boxes.forEach(box => box.addEventListener("scroll", () => fade(box), {passive: true}));
addEventListener("resize", fadeAll);
document.addEventListener("toggle", fadeAll, true);
fadeAll();
