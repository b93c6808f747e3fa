// The verdict in words: shown at every step, read aloud when the slider rests.

import { element, write } from "./elements.js";
import { rested } from "./latest.js";

const REST = 700; // milliseconds before a screen reader reads it

const LEAD = /^(?:\([^)]*\)|[^;(])*/; // up to the first semicolon outside parentheses

/** Return a function that shows the sentences of a verdict, with large letters for the beginning of the first. */
export function verdictIn(place, spoken) {
  let last = [];
  const [lead, rest] = [element("strong"), element("span")];
  const headline = element("p", { class: "headline" }, lead, rest);
  const others = element("p", { class: "others" });
  const speak = rested(REST, () => write(spoken, last.join(" ")));
  return (sentences) => {
    last = sentences;
    const [first] = LEAD.exec(sentences[0] ?? "");
    write(lead, first);
    write(rest, (sentences[0] ?? "").slice(first.length));
    write(others, sentences.slice(1).join(" "));
    if (!headline.isConnected) place.replaceChildren(headline, others);
    speak();
  };
}
