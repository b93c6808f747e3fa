"use strict";
// Shows the hover text at the pointer, or at the place that the arrow keys lead to, along a panel and between panels.
const answerTo = (drawing) => {
  const panels = [...drawing.querySelectorAll(".panel")];
  const readout = drawing.parentElement.querySelector(".readout");
  const tip = document.createElement("p");
  tip.className = "tip";
  tip.hidden = true;
  tip.setAttribute("aria-hidden", "true");
  const place = drawing.querySelector(".panels");
  place.append(tip);
  const here = document.createElementNS("http://www.w3.org/2000/svg", "path");
  here.setAttribute("class", "here");

  const placesOf = ({ x, y, from, to, says, across, up, form }) => (up
    ? up.flatMap((row, j) => across.map((column, i) => says[j][i] && {
      x: x[i], y: y[j], said: `${column}, ${row}:\n${form.replace("{}", says[j][i])}`,
    })).filter(Boolean)
    : x.map((at, i) => ({ x: at, y: y ? y[i] : undefined, from, to, said: says[i] })));
  const found = new Map();
  const spots = (panel) => {
    if (!found.has(panel)) found.set(panel, JSON.parse(panel.dataset.spots).flatMap(placesOf));
    return found.get(panel);
  };

  const hide = () => { tip.hidden = true; here.remove(); readout.textContent = ""; };
  const show = (panel, { x, y, from, to, said }) => {
    const { left, top, width, height } = place.getBoundingClientRect();
    const at = new DOMPoint(x, y ?? (from + 2 * to) / 3).matrixTransform(panel.getScreenCTM());
    tip.textContent = said;
    tip.hidden = false;
    tip.style.left = "0";
    const [right, under] = [at.x - left + 14, at.y - top + 10];
    tip.style.left = `${Math.max(0, right + tip.offsetWidth > width ? right - tip.offsetWidth - 28 : right)}px`;
    tip.style.top = `${Math.max(0, under + tip.offsetHeight > height ? under - tip.offsetHeight - 20 : under)}px`;
    here.setAttribute("d", y === undefined ? `M${x} ${from}V${to}` : `M${x - 7} ${y}a7 7 0 1 0 14 0a7 7 0 1 0-14 0`);
    panel.append(here);
  };
  const point = (panel, event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(panel.getScreenCTM().inverse());
    const { say } = event.target.dataset;
    const far = (spot) => (spot.x - at.x) ** 2 + (spot.y === undefined ? 0 : (spot.y - at.y) ** 2);
    const nearest = say ? { x: at.x, y: at.y, said: say } : spots(panel).reduce((one, other) => (far(other) < far(one) ? other : one), spots(panel)[0]);
    if (nearest) show(panel, nearest);
  };
  panels.forEach((panel) => ["pointermove", "pointerdown"].forEach((what) => panel.addEventListener(what, (event) => point(panel, event))));
  drawing.addEventListener("pointerleave", hide);

  let [panel, step] = [0, -1];
  drawing.addEventListener("blur", hide);
  drawing.addEventListener("keydown", (event) => {
    const [right, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key] || [];
    if (right === undefined) return;
    event.preventDefault();
    panel = (panel + down + panels.length) % panels.length;
    const some = spots(panels[panel]);
    if (!some.length) return;
    step = (Math.max(step, right < 0 ? 0 : -1) + (down && step < 0 ? 1 : right) + some.length) % some.length;
    show(panels[panel], some[step]);
    readout.textContent = some[step].said.replaceAll("\n", "; ");
  });
};
