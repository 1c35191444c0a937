// Dialogs about people: create a link for a friend, and change one's own name.
import { openDialog } from "./dialogs.js";
import { displayName, h } from "./dom.js";

export class PeopleDialogs {
  constructor(connection) {
    this.connection = connection;
  }

  invite() {
    const name = h("input", { id: "invite-name", type: "text", maxlength: 32, autocomplete: "off", placeholder: "Bo" });
    const result = h("div", { class: "invited", "aria-live": "polite" });
    openDialog({
      title: "Invite a friend", kind: "invite", submitLabel: "Create link", cancelLabel: "Close",
      fields: [h("p", {}, "Each person has a link of their own. Anyone who has the link plays as that person."),
        h("label", { for: "invite-name" }, "Your friend's name"), name, result],
      onSubmit: async () => {
        const friendName = name.value.trim();
        if (!friendName) return "Enter a name first.";
        const answer = await this.connection.request("invite", { name: friendName });
        if (answer.t === "failed") return answer.text;
        showLink(result, new URL(answer.url, location.href).href, displayName(answer.user ?? { username: friendName }), answer.this_computer_only);
        name.value = "";
        return ""; // the dialog stays open, so that the link can be copied or another one created
      },
    });
  }

  /** For the owner of the cardroom: take somebody out of it. `users`: everybody else in it. */
  remove(users) {
    const list = h("ul", { class: "people" });
    const dialog = openDialog({
      title: "Remove people", kind: "remove-people", submitLabel: "", cancelLabel: "Close",
      fields: [h("p", {}, users.length ? "Their link stops working and their pages close. Their chips are kept in the books."
        : "Nobody else is here yet."), list],
    });
    for (const user of users) list.append(this.personRow(user, dialog));
  }

  personRow(user, dialog) {
    const name = displayName(user);
    const button = h("button", { type: "button", class: "button danger", "data-label": "Remove", "aria-label": `Remove ${name}` }, "Remove");
    const row = h("li", {}, h("span", {}, name), button);
    let asked = false;
    button.addEventListener("click", async () => {
      if (!asked) {
        asked = true;
        button.textContent = "Really remove?";
        button.setAttribute("aria-label", `Really remove ${name}?`);
        return;
      }
      const answer = await this.connection.request("remove", { user_id: user.id });
      if (answer.t === "failed") dialog.querySelector(".dialog-error").textContent = answer.text;
      else row.remove();
    });
    return row;
  }

  rename(currentName) {
    const name = h("input", { id: "new-name", type: "text", maxlength: 32, autocomplete: "off" });
    name.value = currentName;
    openDialog({
      title: "Your name", kind: "rename", submitLabel: "Save", fields: [h("label", { for: "new-name" }, "The name that others see"), name],
      onSubmit: async () => {
        if (!name.value.trim()) return "Enter a name first.";
        return this.connection.send({ op: "rename", name: name.value.trim() }) ? null : "Not connected. Wait a moment.";
      },
    });
  }
}

function showLink(result, url, name, thisComputerOnly) {
  const field = h("input", { type: "text", readonly: true, value: url, "aria-label": `Link for ${name}`, "data-invite-url": url });
  const copy = h("button", { type: "button", class: "button success", "data-label": "Copy" }, "Copy");
  copy.addEventListener("click", async () => {
    field.select();
    // The clipboard API needs https or a loopback address.
    const copied = navigator.clipboard ? await navigator.clipboard.writeText(url).then(() => true, () => false) : document.execCommand("copy");
    copy.textContent = copied ? "Copied" : "Press Ctrl+C";
  });
  const reach = thisComputerOnly
    ? ["This link works on this computer only. To invite people in your network, stop the cardroom with Ctrl-C and start it again as ",
      h("code", {}, "cardroom --host 0.0.0.0"), "."]
    : ["It works for everybody in your network, as long as this computer is on and its firewall lets them in."];
  result.replaceChildren(h("p", {}, `${name} plays through this link:`), field, h("p", { class: "description" }, reach),
    h("div", { class: "row" }, copy, h("a", { class: "button secondary", href: url, target: "_blank", rel: "noopener" }, "Open in new tab")));
}
