"use strict";
(() => {
  const specifications = JSON.parse(document.getElementById("specifications").textContent);
  const drawings = [...document.querySelectorAll(".drawing")];
  const LEAST = 660; // narrower places are scrolled
  const inner = (drawing) => Math.max(drawing.clientWidth - 12, LEAST);

  // Drawings: as wide as their place, also while another choice hides them.
  const widest = () => Math.max(...drawings.map(inner));
  const draw = (drawing) => {
    const made = specifications[drawing.dataset.figure];
    const width = drawing.offsetParent ? inner(drawing) : widest();
    return Plotly.newPlot(drawing, made.data, { ...made.layout, width }, { ...made.config, responsive: false, displayModeBar: false });
  };
  const fit = (width) => drawings.forEach((drawing) => {
    if (!drawing.layout) return;
    const wanted = width || (drawing.offsetParent ? inner(drawing) : widest());
    if (Math.abs(wanted - drawing.layout.width) > 1) Plotly.relayout(drawing, { width: wanted });
  });

  // Along a drawing with the arrow keys: the values at the next point are shown, and told to whoever listens.
  const steps = (trace) => (trace.type === "heatmap" ? trace.z.length * trace.z[0].length : (trace.x || []).length);
  const at = (trace, place) => (trace.type === "heatmap" ? [Math.floor(place / trace.z[0].length), place % trace.z[0].length] : place);
  const tell = (drawing, place) => {
    const traces = drawing._fullData.filter((trace) => trace.visible === true && trace.hoverinfo !== "skip");
    const longest = Math.max(...traces.map(steps), 1);
    const here = (place + longest) % longest;
    const points = traces.filter((trace) => steps(trace) === longest).map((trace) => ({ curveNumber: trace.index, pointNumber: at(trace, here) }));
    const axes = [...new Set(traces.map((trace) => `${trace.xaxis || "x"}${trace.yaxis || "y"}`))];
    Plotly.Fx.hover(drawing, points, axes);
    return here;
  };
  const number = (value) => (typeof value === "number" ? Number(value.toPrecision(4)).toLocaleString("en-US") : value);
  const words = (points) => points.map((point) => {
    const name = point.data.name ? `${point.data.name}: ` : "";
    return point.z === undefined ? `${name}${number(point.x)}, ${number(point.y)}` : `${name}${number(point.x)}, ${number(point.y)}: ${number(point.z)}`;
  }).join("; ");
  const listen = (drawing) => {
    const readout = drawing.parentElement.querySelector(".readout");
    let place = -1;
    drawing.on("plotly_hover", (event) => { if (document.activeElement === drawing) readout.textContent = words(event.points); });
    drawing.addEventListener("blur", () => { readout.textContent = ""; Plotly.Fx.unhover(drawing); });
    drawing.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      place = tell(drawing, place < 0 && step < 0 ? -1 : place + step);
    });
  };

  // One game's maps at a time.
  const choice = document.getElementById("map-choice");
  const show = () => document.querySelectorAll("[data-choice]").forEach((figure) => { figure.hidden = figure.dataset.choice !== choice.value; });
  if (choice) {
    choice.closest(".chooser").hidden = false;
    choice.addEventListener("change", () => { show(); fit(); });
    show();
  }

  // Only what can be scrolled needs to be reached with Tab.
  const scrolls = () => document.querySelectorAll(".scroll").forEach((box) => {
    const needed = box.scrollWidth > box.clientWidth + 1;
    if (needed) box.setAttribute("tabindex", "0"); else box.removeAttribute("tabindex");
  });

  // On paper everything is open, and as wide as paper.
  const PAPER = 660;
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    opened.forEach((details) => { details.open = true; });
    fit(PAPER);
  });
  addEventListener("afterprint", () => {
    opened.forEach((details) => { details.open = false; });
    fit();
  });

  let waiting;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(() => { fit(); scrolls(); }, 120); });
  document.querySelectorAll("details").forEach((details) => details.addEventListener("toggle", scrolls));

  scrolls();
  Promise.all(drawings.map(draw)).then(() => {
    drawings.forEach(listen);
    document.documentElement.dataset.drawn = "yes";
  });
})();
