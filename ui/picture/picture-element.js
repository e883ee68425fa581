// @ts-check
/**
 * Base class of `<context-map>` and `<context-chart>`: picture, selected thread and request, shared CSS. It redraws
 * everything, or only what depends on the request.
 * @import { SessionPicture, ThreadPicture } from '../picture.js'
 * @import { Problem } from './read-picture.js'
 * @import { Words } from './words.js'
 */
import { h } from '../base/dom.js';
import { PalimpsestElement } from '../base/element.js';
import { Choice, RequestSlider } from './controls.js';
import { Inks, PALETTE_RULES } from './palette.js';
import { PICTURE_VERSION, readPicture } from './read-picture.js';
import { threadName, WORDS } from './words.js';

export const PICTURE_STYLES = `
${PALETTE_RULES}
:host { min-width: 0; padding: 12px; border-radius: var(--_radius); background: var(--_background); }
.problem { margin: 0; padding: 16px; border: 1px dashed var(--_border); border-radius: var(--_radius); color: var(--_muted); overflow-wrap: anywhere; }
.controls { display: flex; flex-wrap: wrap; gap: 6px 16px; align-items: center; margin-bottom: 8px; }
.controls label { display: inline-flex; gap: 6px; align-items: center; min-width: 0; color: var(--_muted); }
[hidden] { display: none !important; }
select { max-width: 100%; min-width: 0; min-height: 28px; padding: 2px 6px; border: 1px solid var(--_border); border-radius: 6px; background: var(--_background); color: var(--_text); text-overflow: ellipsis; }
.slider { display: flex; flex-wrap: wrap; gap: 2px 12px; align-items: center; }
.slider input { flex: 1 1 200px; min-width: 0; margin: 0; min-height: 28px; accent-color: var(--_accent); }
.slider output { flex: 0 1 auto; color: var(--_muted); font-variant-numeric: tabular-nums; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 6px; margin: 8px 0 0; padding: 0; list-style: none; }
.legend button, .legend .mark { display: inline-flex; gap: 6px; align-items: center; min-height: 26px; padding: 1px 8px; border: 1px solid transparent; border-radius: 6px; background: none; text-align: start; overflow-wrap: anywhere; }
.legend button[aria-pressed='true'] { border-color: var(--_accent); background: var(--_surface); }
.legend canvas { flex: none; width: 18px; height: 14px; border-radius: 2px; }
.legend .amount { color: var(--_muted); font-variant-numeric: tabular-nums; white-space: nowrap; }
@media (forced-colors: active) {
  .legend button[aria-pressed='true'] { border-color: Highlight; }
  .legend canvas { outline: 1px solid CanvasText; }
}
`;

export class PictureElement extends PalimpsestElement {
  static properties = ['picture', 'thread', 'request'];

  inks = new Inks(() => this.redraw());
  threadChoice = new Choice((thread) => {
    this.#request = null;
    this.thread = thread;
    this.emit('request-change', { thread, request: this.request });
  });
  slider = new RequestSlider((request) => this.goTo(request));
  /** The drawing. */ content = h('div');
  /** As it was set. @type {unknown} */ #picture;
  #checked = /** @type {ReturnType<typeof readPicture>} */ (readPicture(undefined));
  #thread = 0;
  /** Index of the selected request; null follows the newest one. @type {number | null} */ #request = null;
  /** True if what is the same for all requests is drawn. */ #isThreadDrawn = false;
  /** Width of the drawing, CSS pixels. */ #width = 0;
  #resizes = new ResizeObserver(() => {
    if (this.content.clientWidth !== this.#width) this.redraw();
  });

  /** The result of `palimpsest view` or `contextPicture`. */
  get picture() {
    return /** @type {SessionPicture | null} */ (this.#picture ?? null);
  }

  set picture(value) {
    this.#picture = value;
    const wasNewest = this.#request !== null && this.#request >= this.requests.length - 1;
    this.#checked = readPicture(value);
    if (wasNewest) this.#request = null;
    this.redraw();
  }

  get thread() {
    return Math.min(this.#thread, Math.max(0, (this.#checked.picture?.threads.length ?? 1) - 1));
  }

  set thread(index) {
    this.#thread = indexOrNull(index) ?? 0;
    this.redraw();
  }

  /** The newest request by default; -1 if there are none. */
  get request() {
    const last = this.requests.length - 1;
    return this.#request === null ? last : Math.min(this.#request, last);
  }

  set request(index) {
    this.#request = indexOrNull(index);
    this.requestUpdate();
  }

  /** The selected thread; null without a valid picture. @returns {ThreadPicture | null} */
  get shownThread() {
    return this.#checked.picture?.threads[this.thread] ?? null;
  }

  get requests() {
    return this.shownThread?.requests ?? [];
  }

  /** The picture if it is valid. @returns {SessionPicture | null} */
  get shownPicture() {
    return this.#checked.picture;
  }

  /** False on a page that has its own controls, for a map and a chart together. */
  get #hasControls() {
    return this.getAttribute('controls') !== 'none';
  }

  /** @returns {Words} */
  get words() {
    return WORDS[this.language];
  }

  connectedCallback() {
    super.connectedCallback();
    this.#resizes.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#resizes.disconnect();
  }

  languageChanged() {
    this.redraw();
  }

  attributeChangedCallback() {
    this.redraw();
  }

  /** Schedules a drawing of everything. For another request `requestUpdate` is enough. */
  redraw() {
    this.#isThreadDrawn = false;
    this.requestUpdate();
  }

  /** Selects a request for the user and sends an event, for a page's other element. @param {number} request */
  goTo(request) {
    const last = this.requests.length - 1;
    const selected = Math.max(0, Math.min(request, last));
    this.#request = selected === last ? null : selected;
    this.requestUpdate();
    this.emit('request-change', { thread: this.thread, request: selected });
  }

  update() {
    const { picture, problem } = this.#checked;
    const { words } = this;
    if (picture === null) return this.#showNotice(problemSentence(words, problem));
    const thread = /** @type {ThreadPicture} */ (this.shownThread);
    this.threadChoice.element.hidden = picture.threads.length < 2 || !this.#hasControls;
    this.slider.element.hidden = !this.#hasControls;
    const threadNames = picture.threads.map((one) => threadName(words, one));
    this.threadChoice.update(words.thread, threadNames, this.thread);
    if (thread.requests.length === 0) return this.#showNotice(words.noRequests);
    if (!this.#isThreadDrawn) {
      this.#isThreadDrawn = true;
      if (!this.content.isConnected) this.root.replaceChildren(this.content, this.inks.element);
      this.#width = this.content.clientWidth;
      this.inks.readColours();
      this.drawThread(thread, this.#width);
    }
    this.slider.update(words, thread, this.request);
    this.drawRequest(thread, this.request);
  }

  /** @param {string} sentence shown instead of a drawing */
  #showNotice(sentence) {
    this.#isThreadDrawn = false;
    const hasThreads = (this.#checked.picture?.threads.length ?? 0) > 1 && this.#hasControls;
    const controls = hasThreads ? [h('div.controls', this.threadChoice.element)] : [];
    this.root.replaceChildren(...controls, h('p.problem', { part: 'problem', role: 'status' }, sentence));
  }

  /** Draws what is the same for all requests. @param {ThreadPicture} _thread @param {number} _width */
  drawThread(_thread, _width) {}

  /** Draws what depends on the selected request. @param {ThreadPicture} _thread @param {number} _request */
  drawRequest(_thread, _request) {}
}

/** Why a picture can't be drawn. @param {Words} words @param {Problem} problem */
function problemSentence(words, { reason, where }) {
  if (reason === 'missing') return words.noPicture;
  return reason === 'version' ? words.otherVersion(where, String(PICTURE_VERSION)) : words.wrongShape(where);
}

/** @param {unknown} value @returns {number | null} */
function indexOrNull(value) {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
