// @ts-check
'use strict';

const { optional, readArray, readFunction, readLanguage, readNumber, readOptions } = require('../arguments.js');
const { readSignal, readText } = require('../arguments.js');
const { nameErrors } = require('../errors.js');
const native = require('../native.js');
const { ignoreRejection } = require('../callbacks.js');
const { OPTIONS } = require('../option-names.js');
const { safely } = require('../plain-data.js');

/**
 * Runs a tool's function with a progress bar and a timeout.
 * @typedef {ReturnType<typeof readProgressOptions>} ProgressOptions
 * @typedef {(name: string, message?: string) => void} Enter
 */

/** The maximum of `setTimeout`; a longer delay would fire immediately. */ const MAX_TIMER_MS = 2 ** 31 - 1;
/** The core's defaults: percents and milliseconds. */ const DEFAULTS = native.progressNumbers();

/** A tool took longer than `timeoutMs`. `message` is meant for the user. */
class ToolTimeoutError extends Error {
  /** @param {string} message @param {string} tool @param {number} timeoutMs */
  constructor(message, tool, timeoutMs) {
    super(readText('message', message));
    this.code = /** @type {const} */ ('TOOL_TIMEOUT');
    this.tool = tool;
    this.timeoutMs = timeoutMs;
  }
}

nameErrors(ToolTimeoutError, 'ToolTimeoutError');

/** Milliseconds (R5.8): through a cloud proxy, directly to a provider, for rewording a prompt. */
const toolTimeouts = Object.freeze({
  cloudProxy: DEFAULTS.cloudProxyTimeoutMs,
  directApi: DEFAULTS.directApiTimeoutMs,
  promptExpand: DEFAULTS.promptExpandTimeoutMs,
});

/**
 * Displays a progress bar until `fn` ends, the timeout is over or the application's signal aborts.
 * @template T @param {unknown} value the options @param {(context: { signal: AbortSignal, stage: Enter }) => T | PromiseLike<T>} fn @returns {Promise<T>}
 */
async function runWithProgress(value, fn) {
  const options = readProgressOptions(value, fn);
  const controller = new AbortController();
  const bar = new ProgressBar(options);
  let stopWatching = () => {};
  try {
    if (options.signal?.aborted) throw options.signal.reason;
    bar.start();
    const interrupted = new Promise((_, reject) => {
      stopWatching = watchInterruptions(options, (reason) => {
        // Reject first: `fn` may reject as soon as its signal fires, and the user should see our reason.
        reject(reason);
        controller.abort(reason);
      });
    });
    // `fn` may abort its own signal and throw; then nothing awaits `interrupted`.
    ignoreRejection(interrupted);
    const work = Promise.resolve(fn({ signal: controller.signal, stage: (name, message) => bar.enter(name, message) }));
    const result = await Promise.race([work, interrupted]);
    bar.complete();
    return /** @type {T} */ (result);
  } finally {
    bar.stop();
    stopWatching();
  }
}

/** Calls `interrupt` after the timeout or an abort; returns what stops that. @param {ProgressOptions} options @param {(reason: unknown) => void} interrupt */
function watchInterruptions({ tool, signal, timeoutMs, timeoutMessage, language }, interrupt) {
  const abort = () => interrupt(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const expire = () => {
    const message = timeoutMessage ?? native.timeoutText(tool, timeoutMs, language);
    interrupt(new ToolTimeoutError(message, tool, timeoutMs));
  };
  const timer = Number.isFinite(timeoutMs) ? setTimeout(expire, timeoutMs) : undefined;
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
}

/** Displays progress. The core defines how the displayed percent grows with time. */
class ProgressBar {
  /** Percent that was displayed last. */ shownPercent = 0;
  startedAtMs = 0;
  /** Time since the start. */ elapsedMs = 0;
  /** Value of `elapsedMs` when the stage began. */ stageStartMs = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */ timer;
  isStopped = false;

  /** @param {ProgressOptions} options */
  constructor(options) {
    this.options = options;
    this.current = /** @type {ReturnType<typeof readStage>} */ (options.stages[0]);
  }

  start() {
    this.startedAtMs = Date.now();
    this.timer = setInterval(() => this.tick(), DEFAULTS.tickMs);
    this.enter(this.current.stage);
  }

  /** @param {string} name an unknown stage continues at the bar's position @param {string} [message] */
  enter(name, message) {
    if (this.isStopped) return;
    const known = this.options.stages.find((stage) => stage.stage === name);
    this.current = known ?? { ...this.current, stage: name, progress: this.shownPercent };
    this.stageStartMs = this.elapsedMs;
    this.show(message ?? this.current.message, 0);
  }

  tick() {
    // Use the larger of both values: the clock may be set back, and timers stop while the computer sleeps.
    this.elapsedMs = Math.max(this.elapsedMs + DEFAULTS.tickMs, Date.now() - this.startedAtMs);
    this.show(this.current.tickMessage(Math.round(this.elapsedMs / 1000)), this.elapsedMs - this.stageStartMs);
  }

  /** @param {string} message @param {number} stageMs time since the stage began */
  show(message, stageMs) {
    const { stage, progress, until } = this.current;
    this.shownPercent = native.progressAfter(this.shownPercent, stageMs, this.options.estimateMs, progress, until);
    this.report(stage, message, this.shownPercent);
  }

  complete() {
    this.stop();
    this.report('complete', this.options.completeMessage, 100);
  }

  stop() {
    this.isStopped = true;
    clearInterval(this.timer);
  }

  /** Calls the application's display. @param {string} stage @param {string} message @param {number} progress percent */
  report(stage, message, progress) {
    const { tool, emit } = this.options;
    // A failing display must not fail the work.
    safely(() => ignoreRejection(emit({ tool, stage, message, progress })));
  }
}

/** Checks the arguments of `runWithProgress`. A timeout may be infinite. @param {unknown} value @param {unknown} fn */
function readProgressOptions(value, fn) {
  const options = readOptions('options', value, OPTIONS.progress);
  readFunction('fn', fn);
  const tool = readText('options.tool', options.tool);
  const language = optional(readLanguage, 'options.language', options.language);
  return {
    tool,
    language,
    ...readStages(options.stages, native.stageTexts(language)),
    emit: optional(readFunction, 'options.emit', options.emit) ?? (() => {}),
    estimateMs: optional(readDuration, 'options.estimateMs', options.estimateMs) ?? DEFAULTS.estimateMs,
    timeoutMs: optional(readDuration, 'options.timeoutMs', options.timeoutMs) ?? DEFAULTS.directApiTimeoutMs,
    timeoutMessage: optional(readText, 'options.timeoutMessage', options.timeoutMessage),
    signal: optional(readSignal, 'options.signal', options.signal),
  };
}

/** The stages without the last one, `complete`; at least one. @param {unknown} value @param {[string, string]} defaultMessages */
function readStages(value, [working, complete]) {
  const list = optional(readArray, 'options.stages', value) ?? [];
  const last = list.find((stage) => stage?.stage === 'complete');
  const others = list.filter((stage) => stage !== last);
  if (others.length === 0) others.push({ stage: 'working', message: working });
  const stages = others.map((stage, index) => readStage(stage, `options.stages[${index}]`));
  for (const [index, stage] of stages.entries()) {
    stage.until = Math.max(stage.progress, stages[index + 1]?.progress ?? DEFAULTS.workingTo);
  }
  return { stages, completeMessage: typeof last?.message === 'string' ? last.message : complete };
}

/** `progress` is the percent at the stage's start, `until` that at its end. @param {unknown} value @param {string} name */
function readStage(value, name) {
  const stage = readOptions(name, value, OPTIONS.stage);
  const message = optional(readText, `${name}.message`, stage.message) ?? '';
  const isPercent = (/** @type {number} */ number) => number >= 0 && number <= 100;
  const given = stage.progress ?? DEFAULTS.workingFrom;
  const progress = readNumber(`${name}.progress`, given, isPercent, 'a number from 0 to 100');
  const tickMessage =
    optional(readFunction, `${name}.tickMessage`, stage.tickMessage) ??
    ((/** @type {number} */ seconds) => `${message} ${seconds}s`.trimStart());
  return { stage: readText(`${name}.stage`, stage.stage), message, progress, until: progress, tickMessage };
}

/** @param {string} name @param {unknown} value @returns {number} ms */
function readDuration(name, value) {
  const type = 'a number of milliseconds';
  const durationMs = readNumber(name, value, (ms) => ms > 0, 'a positive number of milliseconds', type);
  return durationMs > MAX_TIMER_MS ? Infinity : durationMs;
}

module.exports = { runWithProgress, ToolTimeoutError, toolTimeouts };
