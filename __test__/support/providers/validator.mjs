// @ts-check

/** Collects the reasons why a provider would reject messages. */
export class Validator {
  /** @type {string[]} */ problems = [];

  /** @param {readonly any[]} messages @param {boolean} isPendingAllowed true if the last calls may lack results */
  constructor(messages, isPendingAllowed) {
    this.messages = messages;
    this.isPendingAllowed = isPendingAllowed;
  }

  /** @param {string} place @param {string} why */
  report(place, why) {
    this.problems.push(`${place}: ${why}`);
  }
}

/** True for a text that is missing or empty. @param {unknown} text */
export const isBlank = (text) => typeof text !== 'string' || text.trim() === '';

export const isObject = (/** @type {unknown} */ value) =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
