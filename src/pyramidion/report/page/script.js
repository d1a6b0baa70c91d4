for (const table of document.querySelectorAll("table.sortable")) {
  table.querySelectorAll("th").forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const body = table.tBodies[0];
      const key = (row) => row.cells[column].dataset.key ?? row.cells[column].textContent;
      const rows = [...body.rows].sort((a, b) => {
        const x = key(a), y = key(b), nx = parseFloat(x), ny = parseFloat(y);
        const both = !isNaN(nx) && !isNaN(ny);
        if (!both && (x === "" || y === "")) return x === "" ? 1 : -1;
        return (both ? nx - ny : x.localeCompare(y, undefined, { numeric: true })) * (up ? 1 : -1);
      });
      body.append(...rows);
    });
  });
}
