// How elements are made: values become text or attributes, never markup.

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

/** Change the text of an element only where it is another: the browser lays out nothing in vain. */
export function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** Return the element of the page with an id. */
export function byId(id) {
  return document.getElementById(id);
}
