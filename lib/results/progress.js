// @ts-check
'use strict';

const { optional, readArray, readFunction, readLanguage, readOptions, readSignal } = require('../arguments.js');
const { readText } = require('../arguments.js');
const { nameErrors, outOfRange, wrongType } = require('../errors.js');
const native = require('../native.js');
const { ignoreRejection } = require('../callbacks.js');
const { once } = require('../once.js');
const { OPTIONS } = require('../option-names.js');

/** Runs a tool's function with a progress bar and a timeout. */

/** The maximum of `setTimeout`; a longer delay would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * @typedef {object} Stage
 * @property {string} stage its name
 * @property {string} message
 * @property {number} progress percent at its start
 * @property {number} until percent that it leads to
 * @property {(seconds: number) => string} tickMessage
 *
 * @typedef {object} ProgressOptions
 * @property {string} tool
 * @property {(event: { tool: string, stage: string, message: string, progress: number }) => void} emit
 * @property {[Stage, ...Stage[]]} stages without the last, `complete`
 * @property {string} completeMessage
 * @property {number} estimateMs
 * @property {number} timeoutMs may be Infinity
 * @property {string | undefined} timeoutMessage
 * @property {'zh' | 'en' | undefined} language
 * @property {AbortSignal | undefined} signal
 */

/** The core's defaults: percents and milliseconds. */
const progressDefaults = once(() => native.progressNumbers());

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
  get cloudProxy() {
    return progressDefaults().cloudProxyTimeoutMs;
  },
  get directApi() {
    return progressDefaults().directApiTimeoutMs;
  },
  get promptExpand() {
    return progressDefaults().promptExpandTimeoutMs;
  },
});

/**
 * Runs `fn` while a progress bar is displayed, until it ends, the timeout is over or the application's signal aborts.
 * @template T @param {unknown} value the options
 * @param {(context: { signal: AbortSignal, stage: (name: string, message?: string) => void }) => T | PromiseLike<T>} fn
 * @returns {Promise<T>}
 */
async function runWithProgress(value, fn) {
  const options = readProgressOptions(value, fn);
  const controller = new AbortController();
  const bar = new ProgressBar(options);
  const stops = [() => bar.stop()];
  try {
    if (options.signal?.aborted) throw options.signal.reason;
    bar.start();
    const interrupted = new Promise((_, reject) => {
      /** @param {unknown} reason */
      const interrupt = (reason) => {
        // Reject first: `fn` may reject as soon as its signal fires, and the user should see our reason.
        reject(reason);
        controller.abort(reason);
      };
      stops.push(...interruptions(options, interrupt));
    });
    // `fn` may abort its own signal and throw; then nothing awaits `interrupted`.
    ignoreRejection(interrupted);
    const work = Promise.resolve(fn({ signal: controller.signal, stage: (name, message) => bar.enter(name, message) }));
    const result = await Promise.race([work, interrupted]);
    bar.complete();
    return /** @type {T} */ (result);
  } finally {
    for (const stop of stops) stop();
  }
}

/**
 * Watches the timeout and the application's signal.
 * @param {ProgressOptions} options @param {(reason: unknown) => void} interrupt
 * @returns {(() => void)[]} functions that stop watching
 */
function interruptions({ tool, signal, timeoutMs, timeoutMessage, language }, interrupt) {
  const stops = [];
  if (Number.isFinite(timeoutMs)) {
    const timer = setTimeout(() => {
      const message = timeoutMessage ?? native.timeoutText(tool, timeoutMs, language);
      interrupt(new ToolTimeoutError(message, tool, timeoutMs));
    }, timeoutMs);
    stops.push(() => clearTimeout(timer));
  }
  if (signal !== undefined) {
    const aborted = () => interrupt(signal.reason);
    signal.addEventListener('abort', aborted, { once: true });
    stops.push(() => signal.removeEventListener('abort', aborted));
  }
  return stops;
}

/** Displays progress. The core defines how the displayed percent grows with time. */
class ProgressBar {
  /** @param {ProgressOptions} options */
  constructor(options) {
    this.options = options;
    this.current = options.stages[0];
    /** Percent that was displayed last. */ this.shownPercent = 0;
    this.startedAtMs = 0;
    /** Time since the start. */ this.elapsedMs = 0;
    /** Value of `elapsedMs` when the stage began. */ this.stageStartMs = 0;
    /** @type {ReturnType<typeof setInterval> | undefined} */ this.timer = undefined;
    this.isStopped = false;
  }

  start() {
    this.startedAtMs = Date.now();
    this.timer = setInterval(() => this.tick(), progressDefaults().tickMs);
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
    this.elapsedMs = Math.max(this.elapsedMs + progressDefaults().tickMs, Date.now() - this.startedAtMs);
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
    try {
      ignoreRejection(emit({ tool, stage, message, progress }));
    } catch {
      // A failing display must not fail the work.
    }
  }
}

/** Checks the arguments of `runWithProgress`. @param {unknown} value @param {unknown} fn @returns {ProgressOptions} */
function readProgressOptions(value, fn) {
  const options = readOptions('options', value, OPTIONS.progress);
  readFunction('fn', fn);
  const tool = readText('options.tool', options.tool);
  const language = optional(readLanguage, 'options.language', options.language);
  const [working, complete] = native.stageTexts(language);
  const { stages, completeMessage } = readStages(options.stages, working, complete);
  return {
    tool,
    emit: optional(readFunction, 'options.emit', options.emit) ?? (() => {}),
    stages,
    completeMessage,
    estimateMs: readDuration(options, 'estimateMs') ?? progressDefaults().estimateMs,
    timeoutMs: readDuration(options, 'timeoutMs') ?? progressDefaults().directApiTimeoutMs,
    timeoutMessage: optional(readText, 'options.timeoutMessage', options.timeoutMessage),
    language,
    signal: optional(readSignal, 'options.signal', options.signal),
  };
}

/** @param {unknown} value @param {string} working @param {string} complete @returns {Pick<ProgressOptions, 'stages' | 'completeMessage'>} */
function readStages(value, working, complete) {
  const { workingFrom, workingTo } = progressDefaults();
  const list = optional(readArray, 'options.stages', value) ?? [];
  const last = list.find((stage) => stage?.stage === 'complete');
  const others = list.filter((stage) => stage !== last);
  if (others.length === 0) others.push({ stage: 'working', message: working, progress: workingFrom });
  const stages = others.map((stage, index) => readStage(stage, `options.stages[${index}]`, workingFrom));
  for (const [index, stage] of stages.entries()) {
    stage.until = Math.max(stage.progress, stages[index + 1]?.progress ?? workingTo);
  }
  const atLeastOne = /** @type {[Stage, ...Stage[]]} */ (stages);
  return { stages: atLeastOne, completeMessage: typeof last?.message === 'string' ? last.message : complete };
}

/** @param {unknown} value @param {string} name @param {number} workingFrom @returns {Stage} */
function readStage(value, name, workingFrom) {
  const stage = readOptions(name, value, OPTIONS.stage);
  const message = optional(readText, `${name}.message`, stage.message) ?? '';
  const progress = stage.progress ?? workingFrom;
  if (typeof progress !== 'number') throw wrongType(`${name}.progress`, 'a number', progress);
  if (!(progress >= 0 && progress <= 100))
    throw outOfRange(`${name}.progress`, 'a number from 0 to 100', String(progress));
  const tickMessage =
    optional(readFunction, `${name}.tickMessage`, stage.tickMessage) ??
    ((/** @type {number} */ seconds) => `${message} ${seconds}s`.trimStart());
  return { stage: readText(`${name}.stage`, stage.stage), message, progress, until: progress, tickMessage };
}

/** @param {Record<string, any>} options @param {string} key @returns {number | undefined} ms */
function readDuration(options, key) {
  const value = options[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number') throw wrongType(`options.${key}`, 'a number of milliseconds', value);
  if (Number.isNaN(value) || value <= 0)
    throw outOfRange(`options.${key}`, 'a positive number of milliseconds', String(value));
  return value > MAX_TIMER_MS ? Infinity : value;
}

module.exports = { runWithProgress, ToolTimeoutError, toolTimeouts };
