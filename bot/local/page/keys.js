// Keys beside those of the message box: the sidebar is one stop of the Tab key, and the buttons to play with have numbers.

/** Make a list of links one stop of the Tab key: the arrow keys move in it. Call the returned function after each redraw. */
export function roveIn(container, selector) {
  let current = null; // the key of the link that has the stop
  const links = () => [...container.querySelectorAll(selector)].filter((link) => !link.closest("details:not([open])"));
  const update = () => {
    const all = links();
    const stop = all.find((link) => link.dataset.key === current) ?? all.find((link) => link.hasAttribute("aria-current")) ?? all[0];
    for (const link of container.querySelectorAll(selector)) link.tabIndex = link === stop ? 0 : -1;
  };
  container.addEventListener("focusin", (event) => {
    const link = event.target.closest(selector);
    if (!link) return;
    current = link.dataset.key;
    update();
  });
  container.addEventListener("keydown", (event) => {
    const all = links();
    const index = all.indexOf(event.target);
    const next = { ArrowDown: index + 1, ArrowUp: index - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (index < 0 || next === undefined) return;
    event.preventDefault();
    all[next % all.length].focus();
  });
  return update;
}

/** Return the message whose buttons the reader wants: the panel, the table, or the newest one with buttons; null if there is none. */
function messageToPlayWith(log) {
  const beside = [...log.querySelectorAll("#panel-area > article, #table-area > article")].sort((a) => (a.parentNode.id === "panel-area" ? -1 : 1));
  const newest = [...log.querySelectorAll(".log article")].reverse();
  return [...beside, ...newest].find((article) => article.querySelector("button[data-custom-id]:not(:disabled)")) ?? null;
}

/** Focus the button that is most likely wanted. Returns whether there is one. */
export function focusNewestButton(log) {
  const article = messageToPlayWith(log);
  const button = article?.querySelector("button.success[data-custom-id]:not(:disabled)") ?? article?.querySelector("button[data-custom-id]:not(:disabled)");
  button?.focus();
  return Boolean(button);
}

/** Focus the button that shows this digit; Enter then presses it. Returns whether there is one. */
export function focusNumberedButton(log, digit) {
  const button = log.querySelector(`button[data-digit="${digit}"]`);
  button?.focus();
  return Boolean(button);
}
