// @ts-check
'use strict';

const native = require('../native.js');
const { ignoreRejection } = require('../unwaited.js');
const { numbers } = require('./progress-options.js');

/** Displays progress; the core defines the curve and its numbers. */
class ProgressBar {
  /** @param {import('./progress-options.js').ProgressOptions} options */
  constructor(options) {
    this.options = options;
    this.current = options.stages[0];
    this.shown = 0;
    this.startedAt = 0;
    this.elapsedMs = 0;
    this.enteredMs = 0;
    /** @type {ReturnType<typeof setInterval> | undefined} */ this.timer = undefined;
    this.stopped = false;
  }

  start() {
    this.startedAt = Date.now();
    this.timer = setInterval(() => this.tick(), numbers().tickMs);
    this.enter(this.current.stage);
  }

  /** @param {string} name an unknown stage continues at the bar's position @param {string} [message] */
  enter(name, message) {
    if (this.stopped) return;
    const known = this.options.stages.find((stage) => stage.stage === name);
    this.current = known ?? { ...this.current, stage: name, progress: this.shown };
    this.enteredMs = this.elapsedMs;
    this.show(message ?? this.current.message, 0);
  }

  tick() {
    // Use the larger of both values: the clock may be set back, and timers stop while the computer sleeps.
    this.elapsedMs = Math.max(this.elapsedMs + numbers().tickMs, Date.now() - this.startedAt);
    this.show(this.current.tickMessage(Math.round(this.elapsedMs / 1000)), this.elapsedMs - this.enteredMs);
  }

  /** @param {string} message @param {number} elapsedMs in this stage */
  show(message, elapsedMs) {
    const { stage, progress, until } = this.current;
    this.shown = native.progressAfter(this.shown, elapsedMs, this.options.estimateMs, progress, until);
    this.tell(stage, message, this.shown);
  }

  complete() {
    this.stop();
    this.tell('complete', this.options.completeMessage, 100);
  }

  stop() {
    this.stopped = true;
    clearInterval(this.timer);
  }

  /** @param {string} stage @param {string} message @param {number} progress */
  tell(stage, message, progress) {
    const { tool, emit } = this.options;
    try {
      ignoreRejection(emit({ tool, stage, message, progress }));
    } catch {
      // A failing display must not fail the work.
    }
  }
}

module.exports = { ProgressBar };
