// Written files: the setting as a scenario, the release and report of its game; and their downloads.

import { element, write } from "./elements.js";
import { Refused, watched } from "./server.js";
import { whole } from "./words.js";

/** Two forms; `ask(name, content)` asks the server, with the setting added. */
export class Saving {
  constructor(place, { folder, ask }) {
    this.ask = ask;
    place.append(
      element("p", {}, "Files are written into ", element("code", {}, folder), " or below it, readable by you only."),
      this.#form({ id: "save", label: "Scenario", value: "explored.toml", button: "Save the scenario", key: "path", work: (content) => this.#save(content) }),
      this.#form({ id: "write", label: "Folder of results", value: "results", button: "Write release and report", key: "folder", work: (content) => this.#write(content) }));
  }

  #form({ id, label, value, button, key, work }) {
    const field = element("input", { type: "text", id: `${id}-path`, value, autocomplete: "off", spellcheck: "false", "aria-describedby": `${id}-fault` });
    const overwrite = element("input", { type: "checkbox", id: `${id}-overwrite` });
    const replaces = element("label", { for: overwrite.id, class: "follows", hidden: true }, overwrite, "Overwrite it");
    const fault = element("p", { class: "fault", id: `${id}-fault`, role: "alert" });
    const done = element("div", { role: "status", class: "done" });
    const go = element("button", { type: "submit" }, button);
    const form = element("form", { class: "saving" }, element("label", { for: field.id }, label), field, go, replaces, fault, done);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      go.disabled = true;
      write(fault, "");
      try {
        done.replaceChildren(...await watched(done, work({ [key]: field.value.trim(), overwrite: overwrite.checked })));
        overwrite.checked = false;
        replaces.hidden = true;
      } catch (error) {
        done.replaceChildren();
        write(fault, error.message);
        if (error instanceof Refused && error.message.includes("already exists")) replaces.hidden = false;
      }
      go.disabled = false;
    });
    return form;
  }

  async #save(content) {
    const { path } = await this.ask("save", content);
    return ["Saved: ", element("code", {}, path)];
  }

  async #write(content) {
    const { folder, files, downloads } = await this.ask("write", content);
    const links = downloads.flatMap((name) => [" ", element("a", { href: `download/${name}`, download: name }, `Download ${name}`)]);
    return ["Written: ", element("code", {}, folder), ".", ...links,
      element("p", { class: "note", id: "written-files" }, `${whole(files.length)} files: ${files.join(", ")}.`)];
  }
}
