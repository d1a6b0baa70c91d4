const everyFold = () => document.querySelectorAll("details:not(.latex)");
const openTarget = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target && target.tagName === "DETAILS") target.open = true;
};
addEventListener("hashchange", openTarget);
addEventListener("beforeprint", () => everyFold().forEach((fold) => { fold.open = true; }));
openTarget();
// One listener for all tables: a page may have hundreds of columns.
addEventListener("click", (event) => {
  const head = event.target.closest("th");
  if (!head || !event.target.closest("button")) return;
  const table = head.closest("table");
  const up = head.getAttribute("aria-sort") !== "ascending";
  table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const body = table.tBodies[0];
  const key = (row) => row.cells[head.cellIndex].dataset.key ?? row.cells[head.cellIndex].textContent;
  const rows = [...body.rows].sort((a, b) => {
    const x = key(a), y = key(b), nx = parseFloat(x), ny = parseFloat(y);
    const both = !isNaN(nx) && !isNaN(ny);
    if (!both && (x === "" || y === "")) return x === "" ? 1 : -1;
    return (both ? nx - ny : x.localeCompare(y, undefined, { numeric: true })) * (up ? 1 : -1);
  });
  body.append(...rows);
});
