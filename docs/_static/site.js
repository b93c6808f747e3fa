// What scrolls sideways can be reached by the keyboard; what fits is no stop for the Tab key.
"use strict";

const SCROLLING = "div.highlight pre, .table-wrapper, div.formula";

function markScrolling() {
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
