// @ts-check
'use strict';

const { readText } = require('../arguments.js');
const { nameErrors } = require('../errors.js');
const native = require('../native.js');
const { ignoreRejection } = require('../callbacks.js');
const { ProgressBar } = require('./progress-bar.js');
const { readProgressOptions, numbers } = require('./progress-options.js');

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
    return numbers().cloudProxyTimeoutMs;
  },
  get directApi() {
    return numbers().directApiTimeoutMs;
  },
  get promptExpand() {
    return numbers().promptExpandTimeoutMs;
  },
});

/**
 * Runs `fn` while a progress bar is displayed, until it ends, the timeout is over or the application's signal aborts.
 * @template T
 * @param {unknown} value the options
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

/** Watches the timeout and the signal. @param {import('./progress-options.js').ProgressOptions} options @param {(reason: unknown) => void} interrupt @returns {(() => void)[]} functions that end it */
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

module.exports = { runWithProgress, ToolTimeoutError, toolTimeouts };
