"use strict";
(() => {
  const { figures, dark } = JSON.parse(document.getElementById("specifications").textContent);
  const drawings = [...document.querySelectorAll(".drawing")];
  const NARROW = 760; // below it panels stand one above the other
  const PAPER = 920, LOWER = 0.78; // pixels across and share of the height, which the style makes smaller: two figures on a sheet
  const shades = matchMedia("(prefers-color-scheme: dark)");
  const hidden = (drawing) => drawing.parentElement.offsetParent === null;

  // Drawings: as wide as their place, also while another choice hides them, and in the colours of the page.
  const inner = (drawing) => drawing.parentElement.clientWidth - 12;
  const widest = () => Math.max(...drawings.map(inner));
  let paper = false;
  const draw = (drawing) => {
    const width = paper ? PAPER : hidden(drawing) ? widest() : inner(drawing);
    const colours = shades.matches && !paper ? dark : null;
    const { data, layout, config } = figureOf(figures[drawing.dataset.figure], colours, width < NARROW ? 0 : width);
    const height = paper ? LOWER * layout.height : layout.height;
    return Plotly.react(drawing, data, { ...layout, width, height }, { ...config, responsive: false });
  };
  const fit = (anew = false) => drawings.forEach((drawing) => {
    if (!drawing.layout) return;
    const width = hidden(drawing) ? widest() : inner(drawing);
    if (anew || Math.abs(width - drawing.layout.width) > 1) draw(drawing);
  });

  // With the arrow keys along a drawing, point by point, and from panel to panel: what stands there is shown and told.
  const panelOf = (trace) => `${trace.xaxis || "x"}${trace.yaxis || "y"}`;
  const length = (trace) => (trace.z ? trace.z.length * trace.z[0].length : trace.x.length);
  const number = (value) => Number(value.toPrecision(6)).toLocaleString("en-US");
  const label = (drawing, axis) => {
    const title = drawing.layout[`${axis[0]}axis${axis.slice(1)}`].title;
    return (title && title.text) || "";
  };
  const move = (drawing, state, panel, place) => {
    const shown = drawing.data.map((trace, curve) => ({ trace, curve })).filter(({ trace }) => trace.hoverinfo !== "skip" && trace.x.length > 1);
    const panels = [...new Set(shown.map(({ trace }) => panelOf(trace)))];
    state.panel = (panel + panels.length) % panels.length;
    const inside = shown.filter(({ trace }) => panelOf(trace) === panels[state.panel]);
    const longest = Math.max(...inside.map(({ trace }) => length(trace)));
    state.place = (place + longest) % longest;
    const here = inside.filter(({ trace }) => length(trace) === longest);
    const points = here.map(({ trace, curve }) => ({
      curveNumber: curve,
      pointNumber: trace.z ? [Math.floor(state.place / trace.z[0].length), state.place % trace.z[0].length] : state.place,
    }));
    Plotly.Fx.hover(drawing, points, panels[state.panel]);
    const [{ trace: first }] = here;
    const where = first.type === "scatter" ? `, ${label(drawing, first.xaxis || "x")} ${number(first.x[state.place])}` : "";
    const what = first.z ? "" : `${label(drawing, first.yaxis || "y")}${where}. `;
    return what + here.map(({ trace }) => saidAt(trace, state.place)).join("; ");
  };
  const listen = (drawing) => {
    const readout = drawing.parentElement.querySelector(".readout");
    const state = { panel: 0, place: -1 };
    drawing.addEventListener("blur", () => { readout.textContent = ""; Plotly.Fx.unhover(drawing); });
    drawing.addEventListener("keydown", (event) => {
      const [right, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key] || [];
      if (right === undefined) return;
      event.preventDefault();
      const place = right < 0 && state.place < 0 ? -1 : Math.max(state.place + right, right < 0 ? -1 : 0);
      readout.textContent = move(drawing, state, state.panel + down, place);
    });
  };

  // One game's maps at a time; on paper those that were chosen.
  const choice = document.getElementById("map-choice");
  const show = () => document.querySelectorAll("[data-choice]").forEach((figure) => {
    figure.hidden = figure.dataset.choice !== choice.value;
    figure.toggleAttribute("data-chosen", !figure.hidden);
  });
  if (choice) {
    choice.closest(".chooser").hidden = false;
    choice.addEventListener("change", () => { show(); fit(); });
    show();
  }

  // What is folded is not printed.
  const button = document.getElementById("unfold");
  const parts = [...document.querySelectorAll("details")];
  const name = () => { button.textContent = parts.every((details) => details.open) ? "Fold the appendix" : "Unfold the appendix, for print too"; };
  button.hidden = false;
  button.addEventListener("click", () => {
    const open = !parts.every((details) => details.open);
    parts.forEach((details) => { details.open = open; });
    name();
  });

  // Only what can be scrolled needs to be reached with Tab.
  const scrolls = () => document.querySelectorAll(".scroll").forEach((box) => {
    const needed = box.scrollWidth > box.clientWidth + 1;
    if (needed) box.setAttribute("tabindex", "0"); else box.removeAttribute("tabindex");
  });

  shades.addEventListener("change", () => fit(true));
  const print = (begins) => {
    paper = begins;
    drawings.filter((drawing) => !drawing.parentElement.hidden).forEach(draw);
  };
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));
  let waiting;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(() => { fit(); scrolls(); }, 120); });
  parts.forEach((details) => details.addEventListener("toggle", () => { scrolls(); name(); }));

  // What is seen is drawn first; between two drawings the page can be used.
  const pause = () => new Promise((done) => { setTimeout(done); });
  (async () => {
    scrolls();
    for (const drawing of [...drawings].sort((one, other) => hidden(one) - hidden(other))) {
      try {
        await draw(drawing);
        listen(drawing);
      } catch (error) { // one that cannot be drawn is still there in words and numbers
        console.error(`${drawing.dataset.figure}: ${error.message}`);
        drawing.hidden = true;
      }
      await pause();
    }
    document.documentElement.dataset.drawn = "yes";
  })();
})();
