"use strict";
// Sorts the rows of a table by a column; numbers by their exact value.
function valueOf(row, column) {
  const cell = row.cells[column];
  return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
}
function compare(a, b) {
  return typeof a === "number" ? a - b : a.localeCompare(b);
}
function sortBy(table, header) {
  const column = header.cellIndex;
  const ascending = header.getAttribute("aria-sort") !== "ascending";
  const sign = ascending ? 1 : -1;
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  rows.sort(function (a, b) { return sign * compare(valueOf(a, column), valueOf(b, column)); });
  for (const row of rows) body.appendChild(row);
  for (const other of header.parentNode.cells) other.setAttribute("aria-sort", "none");
  header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
}
for (const table of document.querySelectorAll("table.sortable")) {
  for (const header of table.tHead.rows[0].cells) {
    header.addEventListener("click", function () { sortBy(table, header); });
  }
}

// Redraws the landscape for another c; the same formula and shades as LandscapeFigure.
function expected(alpha, length, cost) {
  let tokens = 1;
  for (let i = length; i > 0; i--) tokens = 1 + alpha * tokens;
  return tokens / (length * cost + 1);
}
function redraw(svg, cost) {
  const best = new Map();
  const cells = Array.from(svg.querySelectorAll("g.cell"));
  for (const cell of cells) {
    const alpha = cell.dataset.alpha;
    const speedup = expected(Number(alpha), Number(cell.dataset.length), cost);
    const before = best.get(alpha);
    const known = before === undefined ? 1 : before.speedup;
    if (speedup > known) best.set(alpha, { speedup: speedup, cell: cell });
    const rect = cell.querySelector("rect");
    rect.setAttribute("class", speedup >= 1 ? "gain" : "loss");
    rect.setAttribute("fill-opacity", (0.6 * (speedup >= 1 ? Math.min(1, (speedup - 1) / 3) : 1 - speedup)).toFixed(2));
    cell.querySelector("text").textContent = speedup.toFixed(1);
    cell.setAttribute("class", "cell");
  }
  for (const found of best.values()) found.cell.setAttribute("class", "cell best");
}
const slider = document.getElementById("landscape-cost");
if (slider) {
  slider.parentNode.hidden = false;
  slider.addEventListener("input", function () {
    const cost = Number(slider.value);
    document.getElementById("landscape-shown").textContent = cost.toFixed(3);
    redraw(slider.closest("figure").querySelector("svg"), cost);
  });
}
