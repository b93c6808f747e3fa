// Returns what Plotly.newPlot takes: a picture in the colours of the scheme and with the panels that its place has room for.
// `made` is a specification, `colours` the table from light to dark colours, or null for the light scheme; `width` in pixels.
const figureOf = (made, colours, width) => {
  const coloured = (value) => {
    if (typeof value === "string") return colours[value] || value;
    if (Array.isArray(value)) return typeof value[0] === "number" ? value : value.map(coloured);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, coloured(one)]));
  };
  const chosen = { data: made.data, layout: width < 620 ? made.narrow : made.layout };
  return { ...(colours ? coloured(chosen) : structuredClone(chosen)), config: made.config };
};

// Returns what a trace says at one of its places when it is pointed at there, as one line for those who cannot point.
const saidAt = (trace, place) => {
  const [row, column] = trace.z ? [Math.floor(place / trace.z[0].length), place % trace.z[0].length] : [place, place];
  const at = (name) => (name === "z" ? trace.z[row][column] : trace[name][name === "x" ? column : row]);
  const written = (value, form) => {
    if (typeof value !== "number") return value;
    if (form.includes("p")) return `${Number((100 * value).toPrecision(3))}%`;
    const digits = form.includes(".2f") ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { maximumSignificantDigits: 6 };
    const text = Math.abs(value).toLocaleString("en-US", digits);
    return `${value < 0 ? "-" : ""}${form.includes("$") ? "$" : ""}${text}`;
  };
  const said = trace.hovertemplate
    ? trace.hovertemplate
      .replace(/<extra>.*/, "")
      .replace(/%\{(\w+)(?:\[(\d+)\])?(?::([^}]*))?\}/g, (_, name, index, form) => {
        const value = at(name);
        return written(index === undefined ? value : value[Number(index)], form || "");
      })
    : (trace.hovertext || [])[place] || trace.name || "";
  const plain = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };
  return said.replace(/<br>/g, " ").replace(/&(amp|lt|gt);/g, (mark) => plain[mark]);
};
