// Other people and oneself: a link for a friend, and one's own name.
import { displayName, h } from "./dom.js";
import { openDialog } from "./forms.js";

export class People {
  constructor(line) {
    this.line = line;
  }

  invite() {
    const name = h("input", { id: "invite-name", type: "text", maxlength: 32, autocomplete: "off", placeholder: "Bo" });
    const result = h("div", { class: "invited", "aria-live": "polite" });
    openDialog({
      title: "Invite a friend", kind: "invite", submit: "Make a link", cancel: "Close",
      fields: [h("p", {}, "Each person plays through a link of their own. Whoever has the link plays as that person."),
        h("label", { for: "invite-name" }, "Your friend's name"), name, result],
      send: async () => {
        const called = name.value.trim();
        if (!called) return "Write a name first.";
        const made = await this.line.ask("invite", { name: called });
        if (made.t === "failed") return made.text;
        showLink(result, new URL(made.url, location.href).href, displayName(made.user ?? { username: called }));
        name.value = "";
        return ""; // the dialog stays, to copy the link or make another
      },
    });
  }

  rename(now) {
    const name = h("input", { id: "new-name", type: "text", maxlength: 32, autocomplete: "off" });
    name.value = now;
    openDialog({
      title: "Your name", kind: "rename", submit: "Save", fields: [h("label", { for: "new-name" }, "How others see you"), name],
      send: async () => {
        if (!name.value.trim()) return "Write a name first.";
        return this.line.send({ op: "rename", name: name.value.trim() }) ? null : "Not connected. Wait a moment.";
      },
    });
  }
}

function showLink(result, url, name) {
  const field = h("input", { type: "text", readonly: true, value: url, "aria-label": `Link for ${name}`, "data-invite-url": url });
  const copy = h("button", { type: "button", class: "button success", "data-label": "Copy" }, "Copy");
  copy.addEventListener("click", async () => {
    field.select();
    // away from loopback a plain http page has no clipboard of its own
    const copied = navigator.clipboard ? await navigator.clipboard.writeText(url).then(() => true, () => false) : document.execCommand("copy");
    copy.textContent = copied ? "Copied" : "Press Ctrl+C";
  });
  result.replaceChildren(h("p", {}, `${name} plays through this link:`), field,
    h("div", { class: "row" }, copy, h("a", { class: "button secondary", href: url, target: "_blank", rel: "noopener" }, "Open in new tab")));
}
