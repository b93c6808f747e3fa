(() => {
  document.querySelectorAll(".drawing").forEach(answerTo);

  // The maps of one game at a time; paper shows the chosen game's.
  const choice = document.getElementById("map-choice");
  const show = () => document.querySelectorAll("[data-choice]").forEach((figure) => {
    figure.hidden = figure.dataset.choice !== choice.value;
    figure.toggleAttribute("data-chosen", !figure.hidden);
  });
  if (choice) {
    choice.closest(".chooser").hidden = false;
    choice.addEventListener("change", show);
    show();
  }

  // Folded content is not printed.
  const button = document.getElementById("unfold");
  const parts = [...document.querySelectorAll("details")];
  const name = () => { button.textContent = parts.every((details) => details.open) ? "Fold the appendix" : "Unfold the appendix, for print too"; };
  button.hidden = false;
  button.addEventListener("click", () => {
    const open = !parts.every((details) => details.open);
    parts.forEach((details) => { details.open = open; });
    name();
  });

  // Only elements that scroll can be reached with Tab.
  const scrolls = () => document.querySelectorAll(".scroll").forEach((box) => {
    const needed = box.scrollWidth > box.clientWidth + 1;
    if (needed) box.setAttribute("tabindex", "0"); else box.removeAttribute("tabindex");
  });

  let waiting;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(scrolls, 120); });
  parts.forEach((details) => details.addEventListener("toggle", () => { scrolls(); name(); }));

  scrolls();
  document.documentElement.dataset.drawn = "yes";
})();
