// The verdict in words: seen at every step, spoken when the slider rests.

import { element, write } from "./elements.js";
import { rested } from "./latest.js";

const REST = 700; // milliseconds after which a listener is told

/** Return a function that shows the sentences of a verdict, the first of them large. */
export function verdictIn(place, spoken) {
  let last = [];
  const headline = element("p", { class: "headline" });
  const others = element("p", { class: "others" });
  const speak = rested(REST, () => write(spoken, last.join(" ")));
  return (sentences) => {
    last = sentences;
    write(headline, sentences[0] ?? "");
    write(others, sentences.slice(1).join(" "));
    if (!headline.isConnected) place.replaceChildren(headline, others);
    speak();
  };
}
