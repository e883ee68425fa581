// @ts-check
'use strict';

const native = require('../native.js');
const { ignoreRejection } = require('../callbacks.js');
const { numbers } = require('./progress-options.js');

/** Displays progress; the core defines the curve and its numbers. */
class ProgressBar {
  /** @param {import('./progress-options.js').ProgressOptions} options */
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
    this.timer = setInterval(() => this.tick(), numbers().tickMs);
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
    this.elapsedMs = Math.max(this.elapsedMs + numbers().tickMs, Date.now() - this.startedAtMs);
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

module.exports = { ProgressBar };
