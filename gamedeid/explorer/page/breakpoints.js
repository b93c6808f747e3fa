// The breakpoints of the answer along a stake: marks on the slider's track, and sentences.

import { drawn, write } from "./elements.js";
import { placeOf } from "./logarithmic.js";
import { dollars, money, percent, records } from "./words.js";

const WIDTH = 1000;
const HEIGHT = 20;

/** Mark on a slider's track the numbers of records that change, the range that keeps the answer, and the nearest breakpoints. */
export function showBreakpoints(stake, found, recordsInAll) {
  const at = (value) => WIDTH * placeOf(value, stake.ends);
  const from = at(found.keeps.from || stake.ends.least);
  const to = at(found.keeps.to ?? stake.ends.most);
  const band = drawn("rect", { class: "keeps", x: from, y: 0, width: Math.max(to - from, 1), height: HEIGHT });
  const bars = found.bins
    .filter((bin) => bin.records !== 0)
    .map((bin) => {
      const share = (bin.records ?? 5) / recordsInAll;
      const height = Math.max(HEIGHT * Math.sqrt(share), 2);
      const x = at(bin.from);
      return drawn("rect", { class: "bar", x, y: HEIGHT - height, width: Math.max(at(bin.to) - x - 3, 1), height });
    });
  const marks = [found.below, found.here, found.above]
    .filter((point) => point && point.value >= stake.ends.least && point.value <= stake.ends.most)
    .map((point) => drawn("rect", { class: "breakpoint", x: at(point.value) - 2, y: 0, width: 4, height: HEIGHT }));
  stake.strip.replaceChildren(band, ...bars, ...marks);
  stake.element.classList.remove("stale");
  write(stake.range, `${rangeWords(found)} ${nearestWords(found)}`);
}

/** Show that the marks are for another setting, and whether new ones are being computed. */
export function forgetBreakpoints(stake, words) {
  stake.element.classList.add("stale");
  write(stake.range, words);
}

/** Return the sentence on the range in which the answer holds, in the words of the report. */
export function rangeWords({ stake, keeps }) {
  const range = keeps.words === "any" ? `every ${stake}` : `a ${stake} of ${keeps.words}`;
  return `The answer holds for ${range} for ${percent(keeps.share, 0)} of the records.`;
}

/** Return the sentence on the breakpoints next to the chosen value. */
export function nearestWords({ below, here, above }) {
  const next = [below, above].filter(Boolean).map((point) => amount(Number(point.value.toPrecision(6))));
  const words = here ? [`At exactly this value ${changeWords(here)}.`] : [];
  if (next.length) words.push(`Next breakpoint${next.length > 1 ? "s" : ""}: ${next.join(" and ")}.`);
  return words.join(" ") || "There is no breakpoint.";
}

function changeWords({ strategies, replies }) {
  return strategies === 0 ? `attacks begin or end on ${records(replies)}` : `the answer changes for ${records(strategies)}`;
}

const amount = (value) => (value >= 100 && Number.isInteger(value) ? money(value) : value >= 0.01 ? dollars(value) : money(value));
