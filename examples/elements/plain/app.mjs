// @ts-check
/** A page without a framework: the elements are in its HTML and take objects as properties. */
/** @template {keyof HTMLElementTagNameMap} Name @param {Name} name */
const element = (name) => /** @type {HTMLElementTagNameMap[Name]} */ (document.querySelector(name));
const [history, chart, map, progress, dialog] = [
  element('compression-history'),
  element('context-chart'),
  element('context-map'),
  element('tool-progress'),
  element('context-limit-dialog'),
];
const heard = document.getElementById('heard');

progress.event = { stage: 'loading', message: 'Loading…', progress: null };
const read = async (/** @type {string} */ path) => (await fetch(path)).json();
history.messages = await read('/session.json');
const messages = await read('/messages.json');
map.load = (message) => ({ stored: messages[message] });
chart.picture = map.picture = await read('/picture.json');
chart.addEventListener('request-change', ({ detail }) => Object.assign(map, detail));
progress.event = { stage: 'complete', message: 'Loaded', progress: 100 };

history.addEventListener('point-expand', (event) => {
  const { level, originalCount } = /** @type {CustomEvent<import('palimpsest/elements').PointEvent>} */ (event).detail;
  heard?.replaceChildren(`Opened level ${level}: ${originalCount} messages`);
});
document.getElementById('too-long')?.addEventListener('click', () => {
  dialog.show({
    message: 'The conversation is too long.',
    suggestion: 'Start a new session.',
    requestedTokens: 180_000,
    maxTokens: 131_072,
  });
});
dialog.addEventListener('new-session', () => heard?.replaceChildren('A new session'));
