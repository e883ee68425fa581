// @ts-check
/**
 * The panel of an opened cell: its `PictureMessage`, text or message in any dialect, as stored and as sent.
 * @import { Cell, PictureMessage, PicturePart } from '../picture.js'
 * @import { Words } from '../picture/words.js'
 * @typedef {{ stored: unknown, sent?: unknown }} LoadedMessage `sent`: set only if it is neither `stored` nor the
 *   placeholder
 * @typedef {'stored' | 'placeholder' | 'references' | 'cleared' | 'nothing'} Sending what the selected request sends of
 *   the cell
 * @typedef {(message: number, part: number | null) => LoadedMessage | Promise<LoadedMessage>} Load gets
 *   indexes; `part` null: the whole message
 * @typedef {{ words: Words, cell: Cell, sending: Sending, title: string, load: Load | null }} OpenedCell
 */
import { h } from '../base/dom.js';
import { SAFE_TEXT_STYLES, safeText } from '../base/safe-text.js';
import { kindName } from '../picture/words.js';

const PART_TYPES = new Set(['text', 'reasoning', 'tools', 'other', 'call', 'result', 'image', 'file']);

export const DETAIL_STYLES = `
${SAFE_TEXT_STYLES}
.detail { margin-top: 12px; padding: 12px; border: 1px solid var(--_border); border-radius: var(--_radius); background: var(--_surface); }
.detail-head { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: flex-start; justify-content: space-between; }
.detail-head button { flex: none; }
#detail-title { flex: 1 1 220px; min-width: 0; }
#detail-title, .side-title { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.side-title { color: var(--_muted); }
.sides { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 8px; }
.side { flex: 1 1 260px; min-width: 0; }
.sides > p { flex: 1 0 100%; margin: 0; }
.scroll { max-height: 400px; margin-top: 4px; padding: 8px; overflow: auto; border: 1px solid var(--_border); border-radius: 6px; background: var(--_background); font: .92em/1.45 var(--_mono); }
.note { margin: 0; color: var(--_muted); }
.message-part + .message-part { margin-top: 8px; }
.part-name { color: var(--_muted); font-weight: 600; }
`;

export class Detail {
  element = h('section.detail', { part: 'detail', hidden: true });
  #title = h('p', { part: 'detail-title', tabindex: -1, id: 'detail-title' });
  #body = h('div.sides');
  /** @type {OpenedCell | null} */ #opened = null;
  /** @type {LoadedMessage | null} */ #loaded = null;

  /** @param {() => void} closed called when the user closes the panel */
  constructor(closed) {
    this.closed = closed;
    this.element.setAttribute('aria-labelledby', this.#title.id);
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.close();
    });
  }

  /** Opens the panel and loads the message. @param {OpenedCell} opened */
  async open(opened) {
    const { words, title, load, cell } = opened;
    this.#opened = opened;
    this.#loaded = null;
    const button = h('button', { part: 'close', onclick: () => this.close() }, words.close);
    this.#title.textContent = title;
    const actions = h('slot', { name: 'detail-action' });
    this.element.replaceChildren(h('div.detail-head', this.#title, actions, button), this.#body);
    this.element.hidden = false;
    this.#title.focus();
    if (load === null) this.#body.replaceChildren(h('p', words.noLoader));
    else {
      this.#body.replaceChildren(h('p', { role: 'status' }, words.loading));
      const loaded = await loadedFrom(load, cell);
      // The user may have opened another cell in the meantime, or closed the panel.
      if (this.#opened?.cell === cell) {
        this.#loaded = loaded;
        const failure = h('p', { role: 'alert' }, words.loadFailed);
        this.#body.replaceChildren(...(loaded === null ? [failure] : columns(this.#opened, loaded)));
      }
    }
    this.element.scrollIntoView({ block: 'nearest' });
  }

  /** Another request may send the cell in another form. @param {{ title: string, sending: Sending }} change */
  update({ title, sending }) {
    const previous = this.#opened;
    if (previous === null) return;
    this.#title.textContent = title;
    this.#opened = { ...previous, title, sending };
    if (previous.sending === sending || this.#loaded === null) return;
    this.#body.replaceChildren(...columns(this.#opened, this.#loaded));
  }

  /** Closes the panel for the user. */
  close() {
    if (this.#opened === null) return;
    this.hide();
    this.closed();
  }

  /** Closes the panel without moving the focus: its cell is no longer in the picture. */
  hide() {
    this.#opened = null;
    this.#loaded = null;
    this.element.hidden = true;
    this.#body.replaceChildren();
  }
}

/** @param {Load} load @param {Cell} cell @returns {Promise<LoadedMessage | null>} null if loading fails */
async function loadedFrom(load, { message, part }) {
  try {
    const loaded = await load(message, part ?? null);
    return loaded.stored === undefined || loaded.stored === null ? null : loaded;
  } catch {
    // Don't show the error: it may contain content or paths.
    return null;
  }
}

/** The message as stored, and next to it as sent or a note. @param {OpenedCell} opened @param {LoadedMessage} loaded */
function columns({ words, cell, sending }, loaded) {
  const stored = column(words.stored, shownMessage(words, loaded.stored));
  const withNote = (/** @type {string} */ text) => [stored, h('p.note', text)];
  if (sending === 'stored') return withNote(words.sentAsStored);
  if (sending === 'nothing') return withNote(words.notSent);
  if (sending === 'cleared') return withNote(words.clearedNote(words.number((cell.clearedFrom ?? 0) + 1)));
  const sent = loaded.sent ?? (sending === 'references' ? null : (cell.placeholder ?? null));
  if (sent === null) return withNote(sending === 'references' ? words.referencesUnknown : words.placeholderUnknown);
  return [stored, column(words.sent, shownMessage(words, sent))];
}

/** @param {string} title @param {Node} content */
function column(title, content) {
  // A scrollable region needs a name and must be reachable by keyboard.
  const region = h('div.scroll', { role: 'group', tabindex: 0, 'aria-label': title }, content);
  return h('div.side', h('p.side-title', title), region);
}

/** @param {Words} words @param {unknown} message */
function shownMessage(words, message) {
  if (isPictureMessage(message)) return h('div', ...message.parts.map((part) => shownPart(words, part)));
  const text = typeof message === 'string' ? message : (JSON.stringify(message, null, 2) ?? '');
  return safeText(text, { language: words.language });
}

/** @param {Words} words @param {PicturePart} part */
function shownPart(words, part) {
  const { language } = words;
  const tool = part.type === 'call' || part.type === 'result' ? part.tool : null;
  const failed = part.type === 'result' && part.isError ? words.failed : null;
  const mediaType = part.type === 'image' || part.type === 'file' ? part.mediaType : null;
  const notes = [kindName(words.cellKinds, part.type), tool, failed, mediaType].filter(Boolean);
  const title = part.type !== 'text' && safeText(notes.join(' · '), { language }, 'div.text.part-name');
  return h('div.message-part', title, safeText(part.text, { language }));
}

/** @param {unknown} message @returns {message is PictureMessage} */
function isPictureMessage(message) {
  const { parts } = /** @type {{ parts?: unknown }} */ (message ?? {});
  return Array.isArray(parts) && parts.every((part) => PART_TYPES.has(part?.type) && typeof part.text === 'string');
}
