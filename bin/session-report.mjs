// @ts-check
/**
 * Runs the cleanup rules over a message list, for `palimpsest report`; `--json` prints the returned object. Measures
 * the list too, and what sanitising, truncating and references would save.
 */
import { loadInternals } from './library.mjs';
import { findUncoveredTools } from './uncovered-tools.mjs';

/** @import { ListReport, ListReports } from '../docs/command-json.js' */
/** @import { Library } from './library.mjs' */
/** @typedef {readonly import('../index.mjs').MessageLike[]} Messages */
/** @typedef {ListReport & { byRule: Readonly<Record<string, import('../index.mjs').RuleReport>> }} SessionReport */

/** Rounded to microseconds. @param {number} durationMs */
const roundedMs = (durationMs) => Math.round(durationMs * 1000) / 1000;

/**
 * @param {import('./session-file.mjs').Session} session @param {Library} library
 * @param {import('./command-line.mjs').Values} values of the options @returns {SessionReport}
 */
export function reportOnSession({ file, format, messages, oddEntries, source }, library, values) {
  const { 'keep-recent': keepRecent, 'max-age': maxAgeMs, 'placeholder-language': placeholderLanguage } = values;
  /** @type {import('./option-values.mjs').Moment} */ const moment = values.now ?? { afterLast: 0 };
  const timestamps = measureTimestamps(messages);
  const { last } = timestamps;
  // Without timestamps every age counts as exceeded.
  const latest = last === null ? null : last + ('at' in moment ? 0 : moment.afterLast);
  const now = 'at' in moment ? moment.at : latest;
  const recordedRoot = typeof source.projectRoot === 'string' ? source.projectRoot : '';
  const projectRoot = values['project-root'] ?? (recordedRoot || process.cwd());
  const rules = {
    placeholderLanguage,
    orphans: true,
    terminal: { keepRecent, maxAgeMs, terminalTools: values['terminal-tools'], errors: values.errors },
    fileReads: { keepRecent, readTools: values['read-tools'], pathKeys: values['path-keys'], projectRoot },
    textSearch: { keepRecent, maxAgeMs, searchTools: values['search-tools'] },
  };
  const started = performance.now();
  const prepared = library.prepareMessages(messages, { ...rules, now: now ?? 0 });
  const durationMs = performance.now() - started;
  const rows = /** @type {any[]} */ (loadInternals().list.rowsOf(messages));
  const before = measureContent(messages);
  const after = measureContent(prepared.messages);
  const { changed, byRule, unrecognised, unrecognisedForms, timestamps: times } = prepared.report;
  return {
    ...{ file, format, messages: messages.length, oddEntries, toolResults: countToolResults(rows), timestamps, now },
    ...{ projectRoot, changed, unrecognised, unrecognisedForms },
    ...{ unknownAges: times.unknown, secondsTimes: times.seconds },
    byRule,
    onByDefault: Object.keys(library.prepareMessages([]).report.byRule),
    units: { before: before.units, after: after.units },
    estimatedTokens: { before: before.estimatedTokens, after: after.estimatedTokens },
    images: before.images,
    resultSavings: measureResultSavings(new Set(messages), rows, library),
    repeated: measureRepeatedLines(messages, library, placeholderLanguage),
    durationMs: roundedMs(durationMs),
    coverage: findUncoveredTools(rows, library.prepareMessages, rules),
  };
}

/** @param {readonly SessionReport[]} reports @returns {ListReports['totals']} sums over all sessions */
export function totalsOf(reports) {
  /** @type {(figure: (report: SessionReport) => number | undefined) => number} */
  const sum = (figure) => reports.reduce((total, report) => total + (figure(report) ?? 0), 0);
  const sumBoth = (/** @type {'units' | 'estimatedTokens'} */ name) => ({
    before: sum((report) => report[name].before),
    after: sum((report) => report[name].after),
  });
  const rules = new Set(reports.flatMap((report) => Object.keys(report.byRule)));
  const byRule = Array.from(rules, (name) => {
    const sumOf = (/** @type {'changed' | 'unitsRemoved' | 'estimatedTokensSaved'} */ figure) =>
      sum((report) => report.byRule[name]?.[figure]);
    const [changed, unitsRemoved] = [sumOf('changed'), sumOf('unitsRemoved')];
    return [name, { changed, unitsRemoved, estimatedTokensSaved: sumOf('estimatedTokensSaved') }];
  });
  return {
    sessions: reports.length,
    messages: sum((report) => report.messages),
    toolResults: sum((report) => report.toolResults),
    changed: sum((report) => report.changed),
    byRule: Object.fromEntries(byRule),
    units: sumBoth('units'),
    estimatedTokens: sumBoth('estimatedTokens'),
    durationMs: roundedMs(sum((report) => report.durationMs)),
  };
}

/** @param {Messages} messages */
function measureContent(messages) {
  const { countTokens, list } = loadInternals();
  const figures = { units: 0, estimatedTokens: 0, images: { count: 0, units: 0 } };
  for (const message of messages) {
    const { texts, images } = list.contentOf(message);
    for (const text of texts) {
      figures.units += text.length;
      figures.estimatedTokens += countTokens(text);
    }
    figures.images.count += images.length;
    for (const image of images) figures.images.units += image.length;
  }
  return figures;
}

/** @param {Messages} messages @returns {ListReport['timestamps']} */
function measureTimestamps(messages) {
  const { timeMsOf, rowsOf } = loadInternals().list;
  /** @type {ListReport['timestamps']} */
  const figures = { count: 0, notTimes: 0, resultsWithout: 0, first: null, last: null };
  for (const message of messages) {
    const ms = timeMsOf(message);
    if (Number.isFinite(ms)) {
      figures.count += 1;
      figures.first = Math.min(figures.first ?? ms, ms);
      figures.last = Math.max(figures.last ?? ms, ms);
    } else {
      if (/** @type {any} */ (message)?.timestamp != null) figures.notTimes += 1;
      figures.resultsWithout += countToolResults(/** @type {any[]} */ (rowsOf([message])));
    }
  }
  return figures;
}

/** @param {readonly any[]} rows each a message, or a result of one */
const countToolResults = (rows) => rows.filter((row) => row?.role === 'tool').length;

/**
 * @param {ReadonlySet<unknown>} messages @param {readonly any[]} rows each one of `messages`, or a result of one
 * @param {Library} library @returns {ListReport['resultSavings']}
 */
function measureResultSavings(messages, rows, library) {
  const { countTokens } = loadInternals();
  const limit = library.getMaxOutputLimit();
  const sanitizing = { results: 0, unitsRemoved: 0, estimatedTokensSaved: 0 };
  const truncating = { limit, ...sanitizing };
  const add = (/** @type {typeof sanitizing} */ savings, /** @type {string} */ before, /** @type {string} */ after) => {
    if (after.length >= before.length) return;
    savings.results += 1;
    savings.unitsRemoved += before.length - after.length;
    savings.estimatedTokensSaved += countTokens(before) - countTokens(after);
  };
  for (const row of rows) {
    if (row?.role !== 'tool') continue;
    // A message may have further fields with binary data. Of a part of a message only the text is known here.
    const result = messages.has(row) ? row : { content: row.content };
    const sanitized = /** @type {any} */ (library.sanitizeToolResult(result));
    const isText = typeof sanitized.content === 'string';
    if (isText) sanitized.content = library.sanitizeToolResultsJson(sanitized.content);
    add(sanitizing, JSON.stringify(result), JSON.stringify(sanitized));
    if (isText) add(truncating, sanitized.content, library.truncateOutput(sanitized.content, limit));
  }
  return { sanitizing, truncating };
}

/** Number of lines shown before and after a reference. */ const CONTEXT_LINES = 2;

/** @param {readonly any[]} messages @param {Library} library @param {'zh' | 'en'} [placeholderLanguage] @returns {ListReport['repeated']} */
function measureRepeatedLines(messages, library, placeholderLanguage = 'en') {
  const onlyReferences = { orphans: false, terminal: false, fileReads: false, textSearch: false, repeated: true };
  // No rule that is on uses the time.
  const prepared = library.prepareMessages(messages, { ...onlyReferences, now: 0, placeholderLanguage });
  const { changed = 0, unitsRemoved = 0, estimatedTokensSaved = 0 } = prepared.report.byRule.repeated ?? {};
  return { results: changed, unitsRemoved, estimatedTokensSaved, example: exampleOf(messages, prepared.messages) };
}

/** The message that saves most. @param {readonly any[]} stored @param {readonly any[]} sent */
function exampleOf(stored, sent) {
  const { contentOf } = loadInternals().list;
  const textOf = (/** @type {any} */ message) => contentOf(message).texts.join('\n');
  /** @type {ListReport['repeated']['example']} */ let best = null;
  let mostSaved = 0;
  for (const [index, message] of stored.entries()) {
    if (message === sent[index]) continue;
    const [before, after] = [textOf(message), textOf(sent[index])];
    if (before.length - after.length <= mostSaved) continue;
    mostSaved = before.length - after.length;
    const [storedLines, sentLines] = [before.split('\n'), after.split('\n')];
    // Everything before the first reference is as stored.
    const first = sentLines.findIndex((line, at) => line !== storedLines[at]);
    const shown = sentLines.slice(Math.max(0, first - CONTEXT_LINES), first + CONTEXT_LINES + 1);
    best = { message: index, stored: storedLines.length, lines: shown };
  }
  return best;
}
