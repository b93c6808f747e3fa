// Creation of elements: values become text or attributes, never markup.

/** Return an HTML element with attributes (null is left out) and children (elements or text). */
export function element(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** Return an element of a drawing. */
export function drawn(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function furnish(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

/** Return a table in a frame; `heads`: words and class of each column; a cell is a text, an element, or a list of them. */
export function rowTable(caption, heads, rows) {
  const row = (cells) => element("tr", {}, ...cells.map((content, place) =>
    element("td", { class: heads[place][1], "data-head": heads[place][0] }, ...[content].flat())));
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    element("table", { class: "groups", role: "table" },
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...heads.map(([words, kind]) => element("th", { scope: "col", class: kind }, words)))),
      element("tbody", {}, ...rows.map(row))));
}

/** Set the text of an element only if it differs, so that the browser does no needless layout. */
export function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** Return the element of the page with an id. */
export function byId(id) {
  return document.getElementById(id);
}
