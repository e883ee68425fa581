// @ts-check
/**
 * `<context-limit-dialog>`: the conversation exceeds the window. Takes a `ContextLengthExceededError`, or its fields.
 * @typedef {{
 *   message?: string, suggestion?: string, requestedTokens?: number | null, maxTokens?: number | null, provider?: string,
 *   details?: { requested?: number | null, max?: number | null },
 * }} ContextLimit
 */
import { h } from './base/dom.js';
import { PalimpsestElement } from './base/element.js';
import { formatCount, inBothLanguages } from './base/format.js';
import { safeFragment } from './base/safe-text.js';

const WORDS = inBothLanguages({
  title: ['The conversation is too long', '对话过长'],
  newSession: ['New session', '新开会话'],
  compress: ['Compress now', '立即压缩'],
  compressing: ['Compressing…', '正在压缩…'],
  close: ['Close', '关闭'],
  requested: ['Requested', '本次请求'],
  limit: ['The model takes', '模型上限'],
  tokens: ['{0} tokens', '{0} tokens'],
  over: ['{0} tokens too many', '超出 {0} tokens'],
  chart: ['{0} of {1} tokens', '{0} / {1} tokens'],
});

const STYLES = `
:host { display: contents; }
dialog {
  width: min(460px, calc(100vw - 32px)); padding: 0; border: 1px solid var(--_border); border-radius: calc(var(--_radius) + 4px);
  background: var(--_background); color: var(--_text); font: var(--_size) / 1.5 var(--_font);
  box-shadow: 0 16px 48px light-dark(rgb(0 0 0 / .25), rgb(0 0 0 / .6));
}
dialog::backdrop { background: rgb(0 0 0 / .45); }
.content { padding: 20px 22px 16px; }
h2 { margin: 0 0 8px; font-size: 1.25em; line-height: 1.3; }
p { margin: 0 0 8px; overflow-wrap: anywhere; }
.suggestion { color: var(--_muted); }
.suggestion:empty, .message:empty { display: none; }
.figures { margin: 14px 0; padding: 10px 12px; border-radius: 8px; background: var(--_surface); }
.figures dl { display: grid; grid-template-columns: 1fr auto; gap: 2px 12px; margin: 0; font-variant-numeric: tabular-nums; }
.figures dt { color: var(--_muted); }
.figures dd { margin: 0; text-align: end; font-weight: 600; }
.over { margin: 6px 0 0; color: var(--_danger); font-weight: 600; }
.track { display: flex; height: 8px; margin-block: 8px 2px; border-radius: 4px; overflow: hidden; background: var(--palimpsest-over, light-dark(#d9534f, #c9473f)); }
.fits { background: var(--_accent); min-width: 3px; border-inline-end: 2px solid var(--_surface); }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; justify-content: flex-end; padding: 12px 22px 18px; }
.buttons button { min-height: 34px; padding: 4px 14px; }
.buttons .close { margin-inline-end: auto; background: transparent; border-color: transparent; color: var(--_muted); }
.buttons .close:hover { border-color: var(--_border); }
@media (max-width: 400px) { .buttons button { flex: 1 1 100%; order: -1; } .buttons .close { order: 1; } }
`;

export class ContextLimitDialog extends PalimpsestElement {
  static styles = STYLES;
  static properties = ['error', 'busy'];
  static observedAttributes = ['open', 'busy', 'message', 'suggestion', 'no-compress'];

  /** @type {ContextLimit} */ #error = {};
  #title = h('h2', { id: 'title', part: 'title' });
  #message = h('p.message', { id: 'message', part: 'message' });
  #suggestion = h('p.suggestion', { id: 'suggestion', part: 'suggestion' });
  #figures = h('div.figures', { part: 'figures' });
  #close = h('button.close', { onclick: () => this.close() });
  #compress = h('button.compress', { part: 'compress', onclick: () => this.#choose('compress-now') });
  #startSession = () => this.#choose('new-session');
  #newSession = h('button.primary', { part: 'new-session', autofocus: true, onclick: this.#startSession });
  #dialog = h(
    'dialog',
    { part: 'dialog', 'aria-labelledby': 'title', 'aria-describedby': 'message suggestion' },
    h('div.content', this.#title, this.#message, this.#suggestion, this.#figures),
    h('div.buttons', { part: 'buttons' }, this.#close, this.#compress, this.#newSession),
  );

  constructor() {
    super();
    this.#dialog.addEventListener('close', () => {
      this.open = false;
      this.emit('dialog-close');
    });
    this.root.append(this.#dialog);
  }

  /** The error to show. Setting it doesn't open the dialog. @type {ContextLimit} */
  get error() {
    return this.#error;
  }

  set error(error) {
    this.#error = error ?? {};
    this.requestUpdate();
  }

  /** True while the application compresses; disables the buttons. */
  get busy() {
    return this.hasAttribute('busy');
  }

  set busy(busy) {
    this.toggleAttribute('busy', Boolean(busy));
  }

  get open() {
    return this.hasAttribute('open');
  }

  set open(open) {
    this.toggleAttribute('open', Boolean(open));
  }

  /** Opens the dialog. @param {ContextLimit} [error] */
  show(error) {
    if (error !== undefined) this.error = error;
    this.open = true;
  }

  close() {
    this.open = false;
    this.#dialog.close();
  }

  update() {
    const texts = WORDS[this.language];
    const { message, suggestion } = this.#error;
    this.#message.replaceChildren(safeFragment(message ?? this.getAttribute('message') ?? ''));
    this.#suggestion.replaceChildren(safeFragment(suggestion ?? this.getAttribute('suggestion') ?? ''));
    this.#title.textContent = texts.title;
    this.#showFigures();
    this.#newSession.textContent = texts.newSession;
    this.#compress.textContent = this.busy ? texts.compressing : texts.compress;
    this.#close.textContent = texts.close;
    this.#compress.hidden = this.hasAttribute('no-compress');
    this.#compress.disabled = this.busy;
    this.#newSession.disabled = this.busy;
    // A modal dialog makes the rest of the page inert, and the browser restores the focus.
    if (this.open && !this.#dialog.open) this.#dialog.showModal();
    else if (!this.open && this.#dialog.open) this.#dialog.close();
  }

  #showFigures() {
    const texts = WORDS[this.language];
    const { requestedTokens, maxTokens, details } = this.#error;
    const requested = firstCount(requestedTokens, details?.requested);
    const max = firstCount(maxTokens, details?.max);
    const count = (/** @type {number} */ tokens) => formatCount(tokens, this.language);
    const line = (/** @type {string} */ name, /** @type {number | null} */ tokens) =>
      tokens === null ? [] : [h('dt', name), h('dd', texts.tokens(count(tokens)))];
    this.#figures.hidden = requested === null && max === null;
    this.#figures.replaceChildren(h('dl', line(texts.requested, requested), line(texts.limit, max)));
    if (requested === null || max === null || requested <= max) return;
    const fits = h('div.fits');
    fits.style.width = `${(max / requested) * 100}%`;
    const label = { role: 'img', 'aria-label': texts.chart(count(requested), count(max)) };
    this.#figures.append(h('div.track', label, fits), h('p.over', texts.over(count(requested - max))));
  }

  /** Sends the event of a button. @param {'new-session' | 'compress-now'} name */
  #choose(name) {
    // A listener that calls `preventDefault` keeps the dialog open.
    if (this.emit(name, { ...this.#error }, { cancelable: true })) this.close();
  }
}

/** The first value that is a count of tokens. @param {...unknown} values @returns {number | null} */
function firstCount(...values) {
  const found = values.find((value) => typeof value === 'number' && Number.isFinite(value) && value >= 0);
  return typeof found === 'number' ? found : null;
}
