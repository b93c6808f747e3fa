// Three steps through the page: stakes, answer and saving.

import { byId, element, write } from "./elements.js";

const STEPS = [
  ["stakes", "Change a stake", "Move a slider, or type an amount. In the shaded part of a slider the answer holds; lines mark where it changes next. Undo, or Back in the browser, takes a change back."],
  ["verdict", "Read the answer", "The verdict and the table follow every change. “Pin as A” keeps an answer; the next answers are compared with it."],
  ["saving", "Save your choice", "Save the setting as a scenario. Then write its release and its report."],
];

/** Let a button start the tour. */
export function tourOf(start) {
  let place = 0;
  const [count, title, words] = [element("p", { class: "eyebrow" }), element("h2", { id: "tour-title" }), element("p", { id: "tour-words" })];
  const [next, back, end] = ["Next", "Back", "End the tour"].map((text) => element("button", { type: "button" }, text));
  const dialog = element("dialog", { class: "tour", "aria-labelledby": "tour-title", "aria-describedby": "tour-words" },
    count, title, words, element("div", { class: "tools" }, next, back, end));
  const point = (number) => byId(STEPS[number][0]).classList.toggle("pointed", dialog.open && number === place);
  const show = (number) => {
    place = number;
    const target = byId(STEPS[place][0]);
    write(count, `Step ${place + 1} of ${STEPS.length}`);
    write(title, STEPS[place][1]);
    write(words, STEPS[place][2]);
    [next.hidden, back.hidden] = [place === STEPS.length - 1, place === 0];
    (next.hidden ? end : next).focus();
    STEPS.forEach((_, one) => point(one));
    target.scrollIntoView({ block: "center" });
    const { top, bottom } = target.getBoundingClientRect();
    dialog.classList.toggle("above", top > innerHeight - bottom);
  };
  next.addEventListener("click", () => show(place + 1));
  back.addEventListener("click", () => show(place - 1));
  end.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => STEPS.forEach((_, one) => point(one)));
  document.body.append(dialog);
  start.addEventListener("click", () => {
    dialog.showModal();
    show(0);
  });
}
