// @ts-check
/**
 * `<tool-progress>`: a tool's progress, activity and elapsed time, from events of `runWithProgress`.
 * @typedef {{ tool?: string, stage?: string, message?: string, progress?: number | null }} ProgressEvent
 */
import { h, setAttributes } from './base/dom.js';
import { PalimpsestElement } from './base/element.js';
import { formatDuration, inBothLanguages } from './base/format.js';
import { safeFragment } from './base/safe-text.js';

const WORDS = inBothLanguages({
  label: ['Progress', '进度'],
  complete: ['Done', '已完成'],
  elapsed: ['{0} so far', '已用 {0}'],
});

const STYLES = `
:host { container-type: inline-size; }
.line { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 12px; }
.track {
  flex: 1 1 120px; height: 8px; border-radius: 4px; overflow: hidden;
  background: var(--palimpsest-progress-track, light-dark(#d5dbe1, #363c47));
}
.bar {
  height: 100%; border-radius: 4px; background: var(--palimpsest-progress, light-dark(#6d3fc4, #b794ff));
  transition: width .5s ease;
}
.is-complete .bar { background: var(--_good); }
.words { display: flex; gap: 4px 12px; align-items: baseline; min-width: 0; }
.message { overflow-wrap: anywhere; }
.elapsed { color: var(--_muted); font-variant-numeric: tabular-nums; white-space: nowrap; }
.is-indeterminate .bar { width: 35% !important; animation: slide 1.4s ease-in-out infinite; }
@keyframes slide { from { margin-inline-start: -35%; } to { margin-inline-start: 100%; } }
@media (prefers-reduced-motion: reduce) {
  .bar { transition: none; }
  .is-indeterminate .bar { animation: none; width: 100% !important; opacity: .5; }
}
@media (forced-colors: active) { .track { border: 1px solid CanvasText; } .bar { background: Highlight; } }
@container (max-width: 380px) { .track { flex-basis: 100%; } }
`;

export class ToolProgress extends PalimpsestElement {
  static styles = STYLES;
  static properties = ['event', 'startedAt'];
  static observedAttributes = ['value', 'message', 'label'];

  /** All events so far, merged. @type {ProgressEvent} */ #event = {};
  /** Ms since 1970. @type {number | undefined} */ #startedAt;
  /** Ms since 1970. @type {number | undefined} */ #endedAt;
  /** @type {ReturnType<typeof setInterval> | undefined} */ #elapsedTimer;
  #bar = h('div.bar', { part: 'bar' });
  #track = h('div.track', { part: 'track', role: 'progressbar', 'aria-valuemin': 0, 'aria-valuemax': 100 }, this.#bar);
  #message = h('span.message', { part: 'message' });
  #elapsed = h('span.elapsed', { part: 'elapsed' });
  #status = h('span.visually-hidden', { role: 'status' });
  #line = h('div.line', this.#track, h('div.words', this.#message, this.#elapsed), this.#status);

  /** An event without `progress` leaves the bar unchanged. @type {ProgressEvent} */
  get event() {
    return this.#event;
  }

  set event(event) {
    const wasComplete = this.#isComplete;
    this.#event = { ...this.#event, ...event };
    this.#startedAt ??= Date.now();
    if (this.#isComplete) this.#endedAt ??= Date.now();
    else if (wasComplete) [this.#startedAt, this.#endedAt] = [Date.now(), undefined];
    this.requestUpdate();
  }

  /** Start time in ms since 1970. Default: the time of the first event. @type {number | undefined} */
  get startedAt() {
    return this.#startedAt;
  }

  set startedAt(time) {
    this.#startedAt = time;
    this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    this.#elapsedTimer = setInterval(() => this.#showElapsed(), 1000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#elapsedTimer);
  }

  get #isComplete() {
    return this.#event.stage === 'complete';
  }

  /** Percent; null if unknown. */
  get #percent() {
    const given = this.#event.progress ?? this.getAttribute('value');
    if (given === null || given === undefined || given === '') return null;
    const percent = Number(given);
    return Number.isFinite(percent) ? Math.min(100, Math.max(0, percent)) : null;
  }

  update() {
    const { label, complete } = WORDS[this.language];
    const percent = this.#percent;
    const text = this.#event.message ?? this.getAttribute('message') ?? (this.#isComplete ? complete : '');
    this.#line.classList.toggle('is-complete', this.#isComplete);
    this.#line.classList.toggle('is-indeterminate', percent === null && !this.#isComplete);
    this.#bar.style.width = `${percent ?? 0}%`;
    this.#track.setAttribute('aria-label', this.getAttribute('label') ?? this.#event.tool ?? label);
    const rounded = percent === null ? null : Math.round(percent);
    const spokenText = rounded === null ? text : `${rounded}% ${text}`;
    setAttributes(this.#track, { 'aria-valuenow': rounded, 'aria-valuetext': text === '' ? null : spokenText });
    this.#message.replaceChildren(safeFragment(text));
    // Screen readers announce only a new stage, not each message.
    const stage = this.#event.stage ?? '';
    if (this.#status.dataset.stage !== stage) this.#status.replaceChildren(safeFragment(text));
    this.#status.dataset.stage = stage;
    this.#showElapsed();
    if (!this.#line.isConnected) this.root.append(this.#line);
  }

  #showElapsed() {
    const started = this.#startedAt;
    if (started === undefined) return this.#elapsed.replaceChildren();
    const time = formatDuration(Math.max(0, (this.#endedAt ?? Date.now()) - started), this.language);
    this.#elapsed.replaceChildren(this.#isComplete ? time : WORDS[this.language].elapsed(time));
  }
}
