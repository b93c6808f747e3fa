"use strict";

const STAKES = ["benefit", "loss", "cost"];
let setting = null;
let asking = false;
let again = false;

async function ask(name, content) {
  const response = await fetch(`api/${name}`, { method: "POST", body: JSON.stringify(content) });
  const found = await response.json();
  if (!response.ok) throw new Error(found.error);
  return found;
}

function say(words) {
  document.getElementById("state").textContent = words;
}

async function answer() {
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  try {
    do {
      again = false;
      const found = await ask("answer", { setting });
      draw(found.policies);
      say(`Answered in ${found.milliseconds} ms.`);
    } while (again);
  } catch (error) {
    say(error.message);
  }
  asking = false;
}

function draw(policies) {
  const table = document.getElementById("measures");
  const caption = table.querySelector("caption");
  const rows = [["", ...policies.map((one) => one.name)]];
  for (const key of Object.keys(policies[0].measures)) {
    rows.push([key, ...policies.map((one) => one.measures[key].toLocaleString())]);
  }
  table.replaceChildren(caption, ...rows.map((cells, place) => {
    const row = document.createElement("tr");
    cells.forEach((text, column) => {
      const cell = document.createElement(place && column ? "td" : "th");
      cell.textContent = text;
      row.append(cell);
    });
    return row;
  }));
}

function slider(name) {
  const label = document.createElement("label");
  const input = document.createElement("input");
  const value = document.createElement("output");
  const start = setting[name];
  Object.assign(input, { type: "range", min: "-2", max: "2", step: "0.01", value: "0", name });
  value.textContent = `$${start}`;
  input.addEventListener("input", () => {
    setting[name] = Number((start * 10 ** Number(input.value)).toPrecision(3));
    value.textContent = `$${setting[name]}`;
    answer();
  });
  label.append(name, input, value);
  return label;
}

async function begin() {
  try {
    const question = await ask("question", {});
    setting = question.setting;
    document.getElementById("title").textContent = question.title || "gamedeid explorer";
    document.getElementById("stakes").append(...STAKES.map(slider));
    say("Compiling.");
    await answer();
  } catch (error) {
    say(error.message);
  }
  setInterval(() => ask("alive", {}).catch(() => say("The explorer has ended.")), 30000);
}

begin();
