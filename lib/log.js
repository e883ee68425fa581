// @ts-check
'use strict';

const { fs } = require('./node-modules.js');
const native = require('./native.js');
const { checkOptions, optional, readChoice } = require('./arguments.js');
const { OPTIONS } = require('./option-names.js');
const { wrongType } = require('./errors.js');
const { ignoreRejection } = require('./callbacks.js');
const { safely } = require('./plain-data.js');

/**
 * Delivers log entries to the application's logger, and to the file that `PALIMPSEST_LOG` names.
 *
 * @typedef {'debug' | 'info' | 'warn' | 'error'} Level
 * @typedef {'message-first' | 'fields-first'} LogStyle the order of a logger's arguments
 * @typedef {Partial<Record<Level, (...values: any[]) => void>>} Logger
 * @typedef {{ level: Level, message: string, fields: Record<string, unknown> }} Entry
 */

const STYLES = /** @type {const} */ (['message-first', 'fields-first']);

const { O_APPEND, O_CREAT, O_NONBLOCK = 0, O_WRONLY } = fs.constants;
/** Neither opening nor writing may block on a pipe that nobody reads. */
const APPEND_WITHOUT_BLOCKING = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK;

/** @type {Logger | null} */ let logger = null;
/** @type {LogStyle} */ let style = 'message-first';
/** @type {string | undefined} */ let logFile;
let isEnvironmentRead = false;
/** Count of entries that could not be written to the file since the last one that could; the next one reports it. */
let droppedCount = 0;
/** True if the addon collects log events, because there is a logger or a file. */ let isCollecting = false;
/** Keys of the notes that the current logger has received. @type {Set<string>} */ let loggedKeys = new Set();

/** Replaces the application's logger; null for none. @param {Logger | null} next @param {unknown} [options] */
function setLogger(next, options) {
  if (next !== null && typeof next !== 'object' && typeof next !== 'function') {
    throw wrongType('logger', 'an object with log methods, or null', next);
  }
  style = readLogStyle(checkOptions(options, OPTIONS.log)?.logStyle) ?? styleOf(next);
  logger = next;
  loggedKeys = new Set();
  updateCollecting();
}

function updateCollecting() {
  if (!isEnvironmentRead) logFile = process.env.PALIMPSEST_LOG || undefined;
  isEnvironmentRead = true;
  const isWanted = logger !== null || logFile !== undefined;
  if (isWanted !== isCollecting) native.collectLogEvents(isWanted);
  isCollecting = isWanted;
}

/** True if there is a logger or a file. Called before the first event, because importing the package must not read `PALIMPSEST_LOG`. */
function isLogWanted() {
  if (!isEnvironmentRead) updateCollecting();
  return isCollecting;
}

/** Delivers the addon's events in one batch, because each call into the addon costs time. */
function deliverLog() {
  if (isCollecting) deliverEvents(native.takeLogEvents());
}

/** Logs, once per logger, a note that applies to every call. @param {string} key of the note @param {() => void} note has the addon log it */
function logOnce(key, note) {
  if (!isLogWanted() || loggedKeys.has(key)) return;
  loggedKeys.add(key);
  note();
  deliverLog();
}

/** Delivers events that were made elsewhere, such as by the archive's addon. @param {import('../binding.js').LogEvent[]} events */
function deliverEvents(events) {
  if (events.length === 0) return;
  const entries = /** @type {Entry[]} */ (events.map((event) => ({ ...event, fields: fieldsOf(event.fields) })));
  if (logger !== null) for (const entry of entries) logEntry(logger, style, entry);
  if (logFile !== undefined) append(logFile, entries);
}

/** An event's fields as an object. @param {import('../binding.js').LogField[]} fields @returns {Record<string, unknown>} */
const fieldsOf = (fields) => Object.fromEntries(fields.map(({ key, number, text }) => [key, number ?? text]));

/** Appends to the log file. @param {string} path @param {Entry[]} entries */
function append(path, entries) {
  const time = new Date().toISOString();
  const droppedEntry = { level: 'warn', message: 'log entries dropped', fields: { dropped: droppedCount } };
  const written = droppedCount === 0 ? entries : [droppedEntry, ...entries];
  const lines = written.map(({ level, message, fields }) => `${JSON.stringify({ time, level, message, ...fields })}\n`);
  try {
    fs.appendFileSync(path, lines.join(''), { flag: /** @type {any} */ (APPEND_WITHOUT_BLOCKING) });
    droppedCount = 0;
  } catch {
    // A full disk or a missing folder must not fail the application's request, and there is nowhere to report it.
    droppedCount += entries.length;
  }
}

/** @param {unknown} given @returns {LogStyle | undefined} */
const readLogStyle = (given) => optional(readChoice, 'options.logStyle', given, STYLES);

/** Pino and bunyan take the fields first; nearly all others the message, also winston, which has `child` and `transports`. @param {any} logger */
function styleOf(logger) {
  const takesFields = safely(() => {
    const { bindings, child, transports } = logger ?? {};
    return typeof bindings === 'function' || (typeof child === 'function' && transports === undefined);
  });
  return takesFields ? 'fields-first' : 'message-first';
}

/** Logs an entry. A logger's own error has nowhere to be reported. @param {Logger} logger @param {LogStyle} style @param {Entry} entry */
function logEntry(logger, style, { level, message, fields }) {
  safely(() => {
    // A logger that joins its arguments would print `[object Object]`. The application's own fields may be cyclic.
    const value = () => safely(() => JSON.stringify(fields)) ?? Object.keys(fields).join(' ');
    const printable = Object.defineProperty({ ...fields }, 'toString', { value });
    const values = style === 'fields-first' ? [printable, message] : [message, printable];
    ignoreRejection(logger[level]?.(...values));
  });
}

module.exports = {
  deliverEvents,
  deliverLog,
  fieldsOf,
  isLogWanted,
  logEntry,
  logOnce,
  readLogStyle,
  setLogger,
  styleOf,
};
