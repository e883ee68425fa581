// @ts-check
'use strict';

const { wrongType } = require('../errors.js');
const { deliverEvents, fieldsOf, isLogWanted, styleOf, logEntry } = require('../log.js');
const { printedText } = require('../printed-text.js');
const { ignoreRejection } = require('../callbacks.js');
const { safely } = require('../plain-data.js');

/** @typedef {import('../../binding.js').LogEvent} LogEvent */
/** @typedef {{ type: string, level: string, message: string } & Record<string, unknown>} CompressionEvent */

/** Passes a manager's events to its logger and its listeners, and to the global log if there is one. */
class Reporter {
  #logger;
  #style;
  #fields;
  /** Undelivered: listeners, application code, are called only between steps. @type {LogEvent[]} */ #pending = [];
  /** @type {Set<(event: CompressionEvent) => void>} */ #listeners = new Set();

  /** @param {any} logger @param {Record<string, unknown>} fields added to every entry, such as `agentId` @param {import('../log.js').LogStyle} [style] */
  constructor(logger, fields, style = styleOf(logger)) {
    this.#logger = logger;
    this.#style = style;
    this.#fields = fields;
  }

  /** @param {unknown} listener @returns {() => void} removes it */
  listen(listener) {
    if (typeof listener !== 'function') throw wrongType('listener', 'a function', listener);
    const own = /** @type {(event: CompressionEvent) => void} */ (listener);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  get isHeard() {
    return this.#logger !== null || this.#listeners.size > 0 || isLogWanted();
  }

  /** @param {readonly LogEvent[]} events */
  add(events) {
    this.#pending.push(...events);
  }

  deliver() {
    const events = this.#pending;
    if (events.length === 0) return;
    this.#pending = [];
    if (isLogWanted()) {
      // The manager's fields come before those of an event.
      const managerFields = Object.entries(this.#fields).map(([key, value]) =>
        typeof value === 'number' ? { key, number: value } : { key, text: printedText(value) },
      );
      deliverEvents(events.map((event) => ({ ...event, fields: [...managerFields, ...event.fields] })));
    }
    for (const event of events) {
      const { message } = event;
      const level = /** @type {import('../log.js').Level} */ (event.level);
      const fields = fieldsOf(event.fields);
      if (this.#logger !== null) {
        logEntry(this.#logger, this.#style, { level, message, fields: { ...this.#fields, ...fields } });
      }
      const { event: type, ...figures } = fields;
      for (const listener of this.#listeners) {
        // A listener must handle its own errors.
        safely(() => ignoreRejection(listener({ ...this.#fields, ...figures, type: String(type), level, message })));
      }
    }
  }
}

module.exports = { Reporter };
