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
    header.dataset.sortable = "";
    header.addEventListener("click", function () { sortBy(table, header); });
  }
}
