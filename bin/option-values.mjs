// @ts-check
/** Parsers of option values, for the options of `command-line.mjs`; errors say what was expected. */
import { messageOf } from './wording.mjs';

/** An invalid command line. */
export class UsageError extends Error {
  /** @override */ name = 'UsageError';
}

/** @template T @param {() => T} work whose errors are about the command line @param {string} [start] of the message */
export function orUsageError(work, start = '') {
  try {
    return work();
  } catch (error) {
    throw new UsageError(`${start}${messageOf(error)}`);
  }
}

/** @param {string} text @param {string} option @param {string} expected @returns {never} */
function refuse(text, option, expected) {
  throw new UsageError(`${option}: expected ${expected}; got “${text}”`);
}

const unitMs = /** @type {Readonly<Record<string, number>>} */ ({ ms: 1, s: 1e3, m: 60e3, h: 3600e3, d: 86_400e3 });

/** @param {string} text such as `15m` or `1h30m` @returns {number | undefined} milliseconds */
function readDuration(text) {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)([a-z]+)/g)];
  return parts.reduce((total, [, amount, unit = '']) => total + Number(amount) * (unitMs[unit] ?? 0), 0);
}

/** @param {string} text @param {string} option @returns {number} milliseconds */
export function parseDuration(text, option) {
  return readDuration(text) ?? refuse(text, option, 'a duration with its unit, such as 15m, 90s or 1h30m');
}

/** @param {string} text @param {string} option */
export function parseCount(text, option) {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count)) return count;
  return refuse(text, option, 'a whole number, 0 or more');
}

/** @param {string} text @param {string} option */
export function parseNames(text, option) {
  const names = text.split(',').map((name) => name.trim());
  return names.includes('') ? refuse(text, option, 'one or more names separated by commas') : names;
}

/** @param {readonly string[]} choices @returns {(text: string, option: string) => string} */
export const choiceOf = (choices) => (text, option) =>
  choices.includes(text) ? text : refuse(text, option, choices.join(' or '));

/** @param {string} text @param {string} option @returns {number} a port; 0 takes a free one */
export function parsePort(text, option) {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  return refuse(text, option, 'a whole number from 0 (a free port) to 65535');
}

/** @typedef {{ at: number } | { afterLast: number }} Moment in ms: since 1970, or after a session's last timestamp */

/** @param {string} text @param {string} option @returns {Moment} the time from which ages are measured */
export function parseMoment(text, option) {
  if (text === 'now') return { at: Date.now() };
  const [isRelative, sign, duration] = /^last(?:([+-])(.+))?$/.exec(text) ?? [];
  if (isRelative) {
    const offset = duration === undefined ? 0 : readDuration(duration);
    if (offset !== undefined) return { afterLast: sign === '-' ? -offset : offset };
  }
  if (/^\d+$/.test(text)) return { at: Number(text) };
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return { at };
  const expected = 'milliseconds since 1970, an ISO date such as 2026-01-31T02:00:00Z, now, or last';
  return refuse(text, option, `${expected} (with an offset such as last+1h)`);
}
