// @ts-check
/** The base of the strict providers, which validate requests. */

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

/**
 * A function that returns the reasons why a provider, or the package in front of it, would reject messages; empty if they are
 * valid. `pendingTurn`: the last calls may lack results.
 * @param {new (messages: readonly any[], isPendingAllowed: boolean) => { check(): string[] }} Provider
 * @returns {(messages: readonly any[], options?: { pendingTurn?: boolean }) => string[]}
 */
export const problemsBy =
  (Provider) =>
  (messages, { pendingTurn = false } = {}) =>
    new Provider(messages, pendingTurn).check();

/** True for a text that is missing or empty. @param {unknown} text */
export const isBlank = (text) => typeof text !== 'string' || text.trim() === '';

export const isObject = (/** @type {unknown} */ value) =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
