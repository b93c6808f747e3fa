// The verdict in words: seen at every step, spoken when the slider rests.

import { element, write } from "./elements.js";
import { rested } from "./latest.js";

const REST = 700; // milliseconds after which a listener is told

const LEAD = /^(?:\([^)]*\)|[^;(])*/; // up to the first semicolon outside parentheses

/** Return a function that shows the sentences of a verdict, the beginning of the first large. */
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
