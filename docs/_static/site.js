// What scrolls sideways can be reached by the keyboard; what fits is no stop for the Tab key.
"use strict";

const SCROLLING = "div.highlight pre, .table-wrapper, div.formula";

function stackWideTables() {
  for (const wrapper of document.querySelectorAll(".table-wrapper")) {
    wrapper.classList.remove("stacked");
    const [head, ...others] = wrapper.querySelectorAll("thead tr");
    if (!head || others.length || wrapper.scrollWidth <= wrapper.clientWidth || innerWidth > 480) continue;
    wrapper.classList.add("stacked");
    const names = [...head.cells].map((cell) => cell.textContent.trim());
    for (const [kind, role] of Object.entries({ table: "table", tr: "row", td: "cell", "thead th": "columnheader", "tbody th": "rowheader" })) {
      for (const element of wrapper.querySelectorAll(kind)) element.setAttribute("role", role);
    }
    for (const row of wrapper.querySelectorAll("tbody tr")) {
      [...row.cells].forEach((cell, place) => place && (cell.dataset.column = (names.length > 2 && names[place]) || ""));
    }
  }
}

function markScrolling() {
  stackWideTables();
  for (const element of document.querySelectorAll(SCROLLING)) {
    if (element.scrollWidth > element.clientWidth) {
      element.tabIndex = 0;
      element.setAttribute("role", "group");
      element.setAttribute("aria-label", "Scrolls sideways");
    } else {
      for (const name of ["tabindex", "role", "aria-label"]) element.removeAttribute(name);
    }
  }
}

document.querySelector("aside.sidebar-drawer")?.setAttribute("aria-label", "Pages");
document.querySelector("aside.toc-drawer")?.setAttribute("aria-label", "On this page");
markScrolling();
window.addEventListener("resize", markScrolling);

// The quickstart at other stakes: the page has all cells, and a slider shows those of its place.
const quickstart = document.getElementById("quickstart");
if (quickstart) {
  const { stakes, cells } = JSON.parse(quickstart.textContent);
  const form = document.querySelector("form.quickstart");
  const shown = document.querySelectorAll("table.quickstart td");
  const show = () => {
    let place = 0;
    for (const slider of form.querySelectorAll("input")) {
      const value = stakes[slider.name][slider.valueAsNumber];
      const words = `$${value.toLocaleString("en-US")}`;
      slider.previousElementSibling.textContent = words;
      slider.setAttribute("aria-valuetext", words);
      place = place * stakes[slider.name].length + slider.valueAsNumber;
    }
    shown.forEach((cell, number) => {
      cell.textContent = cells[place][number];
      cell.classList.toggle("best", cell.textContent.endsWith("*"));
    });
  };
  form.hidden = false;
  form.addEventListener("input", show);
  show();
}
