// @ts-check
'use strict';

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
const APPEND_AT_ONCE = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK;

/** @type {Logger | null} */ let logger = null;
/** @type {LogStyle} */ let style = 'message-first';
/** @type {string | undefined} */ let file;
let started = false;
/** Number of entries that could not be written since the last one that could; the next one reports it. */
let dropped = 0;
let collecting = false;
/** Notes that the current logger has received. @type {Set<string>} */
let loggedOnce = new Set();

/** @param {Logger | null} next @param {unknown} [options] */
function setLogger(next, options) {
  if (next !== null && typeof next !== 'object' && typeof next !== 'function') {
    throw wrongType('logger', 'an object with log methods, or null', next);
  }
  const wished = readLogStyle(checkOptions(options, OPTIONS.log)?.logStyle);
  style = wished ?? styleOf(next);
  logger = next;
  loggedOnce = new Set();
  start();
}

/** Runs at the first event, because importing the package must not read `PALIMPSEST_LOG`. */
function start() {
  if (!started) file = process.env.PALIMPSEST_LOG || undefined;
  started = true;
  const wanted = logger !== null || file !== undefined;
  if (wanted !== collecting) native.collectLogEvents(wanted);
  collecting = wanted;
}

function prepareLog() {
  if (!started) start();
}

/** Tells other threads whether to collect events. */
function isLogWanted() {
  prepareLog();
  return collecting;
}

/** Delivers events in one batch, because each call into the addon costs time. */
function deliverLog() {
  if (collecting) deliverEvents(native.takeLogEvents());
}

/** Logs a note that applies to every call only once per logger. @param {string} what @param {() => void} note */
function logOnce(what, note) {
  if (!isLogWanted() || loggedOnce.has(what)) return;
  loggedOnce.add(what);
  note();
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
  if (file !== undefined) append(file, entries);
}

/** @param {import('../binding.js').LogField[]} fields @returns {Record<string, unknown>} */
function fieldsOf(fields) {
  return Object.fromEntries(fields.map(({ key, number, text }) => [key, number ?? text]));
}

/** @param {string} path @param {Entry[]} entries */
function append(path, entries) {
  const time = new Date().toISOString();
  const all =
    dropped === 0 ? entries : [{ level: 'warn', message: 'log entries dropped', fields: { dropped } }, ...entries];
  const lines = all.map(({ level, message, fields }) => `${JSON.stringify({ time, level, message, ...fields })}\n`);
  try {
    // Neither opening nor writing may block on a pipe that nobody reads.
    fs.appendFileSync(path, lines.join(''), { flag: /** @type {any} */ (APPEND_AT_ONCE) });
    dropped = 0;
  } catch {
    // A full disk or a missing folder must not fail the application's request, and there is nowhere to report it.
    dropped += entries.length;
  }
}

module.exports = { deliverEvents, deliverLog, fieldsOf, isLogWanted, prepareLog, logOnce, setLogger };
