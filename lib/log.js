// @ts-check
'use strict';

/** Delivers log entries to the application's logger, and to the file that `PALIMPSEST_LOG` names. */

const { fs } = require('./node-modules.js');
const native = require('./native.js');
const { checkOptions } = require('./arguments.js');
const { OPTIONS } = require('./option-names.js');
const { wrongType } = require('./errors.js');
const { readLogStyle, styleOf, logEntry } = require('./log-style.js');

/**
 * @typedef {import('./log-style.js').Logger} Logger
 * @typedef {import('./log-style.js').Entry} Entry
 * @typedef {import('./log-style.js').LogStyle} LogStyle
 */

const { O_APPEND, O_CREAT, O_NONBLOCK = 0, O_WRONLY } = fs.constants;
/** Neither opening nor writing may block on a pipe that nobody reads. */
const APPEND_WITHOUT_BLOCKING = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK;

/** @type {Logger | null} */ let logger = null;
/** @type {LogStyle} */ let style = 'message-first';
/** @type {string | undefined} */ let logFile;
let isEnvironmentRead = false;
/** Count of entries that could not be written to the file since the last one that could; the next one reports it. */
let droppedCount = 0;
/** True if the addon collects log events, because there is a logger or a file. */
let isCollecting = false;
/** Keys of the notes that the current logger has received. @type {Set<string>} */
let loggedKeys = new Set();

/** @param {Logger | null} next @param {unknown} [options] */
function setLogger(next, options) {
  if (next !== null && typeof next !== 'object' && typeof next !== 'function') {
    throw wrongType('logger', 'an object with log methods, or null', next);
  }
  style = readLogStyle(checkOptions(options, OPTIONS.log)?.logStyle) ?? styleOf(next);
  logger = next;
  loggedKeys = new Set();
  updateCollecting();
}

/** Has the addon collect log events if there is a logger or a file. */
function updateCollecting() {
  if (!isEnvironmentRead) logFile = process.env.PALIMPSEST_LOG || undefined;
  isEnvironmentRead = true;
  const isWanted = logger !== null || logFile !== undefined;
  if (isWanted !== isCollecting) native.collectLogEvents(isWanted);
  isCollecting = isWanted;
}

/** Called before the first event, because importing the package must not read `PALIMPSEST_LOG`. */
function prepareLog() {
  if (!isEnvironmentRead) updateCollecting();
}

/** True if there is a logger or a file. */
function isLogWanted() {
  prepareLog();
  return isCollecting;
}

/** Delivers the addon's events in one batch, because each call into the addon costs time. */
function deliverLog() {
  if (isCollecting) deliverEvents(native.takeLogEvents());
}

/** Logs a note that applies to every call only once per logger. @param {string} key of the note @param {() => void} log */
function logOnce(key, log) {
  if (!isLogWanted() || loggedKeys.has(key)) return;
  loggedKeys.add(key);
  log();
  deliverLog();
}

/** @param {import('../binding.js').LogEvent[]} events */
function deliverEvents(events) {
  if (events.length === 0) return;
  const entries = events.map(({ level, message, fields }) => ({
    level: /** @type {Entry['level']} */ (level),
    message,
    fields: fieldsOf(fields),
  }));
  if (logger !== null) for (const entry of entries) logEntry(logger, style, entry);
  if (logFile !== undefined) append(logFile, entries);
}

/** @param {import('../binding.js').LogField[]} fields @returns {Record<string, unknown>} */
function fieldsOf(fields) {
  return Object.fromEntries(fields.map(({ key, number, text }) => [key, number ?? text]));
}

/** @param {string} path @param {Entry[]} entries */
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

module.exports = { deliverEvents, deliverLog, fieldsOf, isLogWanted, prepareLog, logOnce, setLogger };
