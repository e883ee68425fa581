// @ts-check
'use strict';

const { fs } = require('./node-modules.js');
const native = require('./native.js');
const { checkOptions } = require('./arguments.js');
const { OPTIONS } = require('./option-names.js');
const { wrongType } = require('./errors.js');
const { readLogStyle, styleOf, tell } = require('./log-style.js');

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
/** Entries that could not be written; the next one that can tells how many. */
let dropped = 0;
let collecting = false;
/** Notes that this logger has heard. @type {Set<string>} */
let said = new Set();

/** @param {Logger | null} next @param {unknown} [options] */
function setLogger(next, options) {
  if (next !== null && typeof next !== 'object' && typeof next !== 'function') {
    throw wrongType('logger', 'an object with log methods, or null', next);
  }
  const wished = readLogStyle(checkOptions(options, OPTIONS.log)?.logStyle);
  style = wished ?? styleOf(next);
  logger = next;
  said = new Set();
  start();
}

/** Importing the package must not read `PALIMPSEST_LOG`. */
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

/** Other threads ask before they gather events. */
function isLogWanted() {
  prepareLog();
  return collecting;
}

/** In one batch, since each call costs. */
function deliverLog() {
  if (collecting) deliverEvents(native.takeLogEvents());
}

/** For notes that hold for every call: each logger hears them once. @param {string} what @param {() => void} note */
function sayOnce(what, note) {
  if (!isLogWanted() || said.has(what)) return;
  said.add(what);
  note();
  deliverLog();
}

/** @param {import('../binding.js').LogEvent[]} events */
function deliverEvents(events) {
  if (events.length === 0) return;
  const entries = events.map(({ level, message, fields }) => ({
    level: /** @type {Entry['level']} */ (level),
    message,
    fields: Object.fromEntries(fields.map(({ key, number, text }) => [key, number ?? text])),
  }));
  if (logger !== null) for (const entry of entries) tell(logger, style, entry);
  if (file !== undefined) append(file, entries);
}

/** @param {string} path @param {Entry[]} entries */
function append(path, entries) {
  const time = new Date().toISOString();
  const all =
    dropped === 0 ? entries : [{ level: 'warn', message: 'log entries dropped', fields: { dropped } }, ...entries];
  const lines = all.map(({ level, message, fields }) => `${JSON.stringify({ time, level, message, ...fields })}\n`);
  try {
    // A pipe that nobody reads must not hold the host up: neither its opening nor a write waits.
    fs.appendFileSync(path, lines.join(''), { flag: /** @type {any} */ (APPEND_AT_ONCE) });
    dropped = 0;
  } catch {
    // A full disk or a missing folder must not break the host's request, and there is nowhere to print.
    dropped += entries.length;
  }
}

module.exports = { deliverEvents, deliverLog, isLogWanted, prepareLog, sayOnce, setLogger };
