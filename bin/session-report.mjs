// @ts-check
/** Runs the cleanup rules over a message list, for `palimpsest report`; `--json` prints the returned object. */
import { loadInternals } from './library.mjs';
import {
  countToolResults,
  measureContent,
  measureRepeatedLines,
  measureResultSavings,
  measureTimestamps,
} from './session-figures.mjs';
import { findUncoveredTools } from './uncovered-tools.mjs';

/**
 * @typedef {import('../index.mjs').PrepareOptions} PrepareOptions
 * @typedef {import('../index.mjs').RuleReport} RuleReport
 *
 * @typedef {{ moment: import('./option-values.mjs').Moment, keepRecent?: number, maxAgeMs?: number,
 *   terminalTools?: string[], readTools?: string[], searchTools?: string[],
 *   pathKeys?: string[], projectRoot?: string, errors?: 'exitCode' | 'seed',
 *   placeholderLanguage?: 'zh' | 'en' }} ReportOptions
 *
 * @typedef {import('../docs/command-json.js').ListReport & { byRule: Readonly<Record<string, RuleReport>> }} SessionReport
 * @typedef {import('../docs/command-json.js').ListReports['totals']} Totals
 */

/** @template {object} T @param {T} object @returns {T} without undefined values, so that defaults apply */
function withoutUndefined(object) {
  return /** @type {T} */ (Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)));
}

/** @param {import('./session-file.mjs').Session} session @param {ReportOptions} options @returns {string} */
function chooseProjectRoot(session, options) {
  const recorded = session.source.projectRoot;
  return options.projectRoot ?? (typeof recorded === 'string' && recorded !== '' ? recorded : process.cwd());
}

/** @param {ReportOptions} options @param {string} projectRoot @returns {PrepareOptions} */
function prepareOptions(options, projectRoot) {
  const { keepRecent, maxAgeMs, terminalTools, readTools, searchTools, pathKeys, errors } = options;
  return {
    ...withoutUndefined({ placeholderLanguage: options.placeholderLanguage }),
    orphans: true,
    terminal: withoutUndefined({ keepRecent, maxAgeMs, terminalTools, errors }),
    fileReads: withoutUndefined({ keepRecent, readTools, pathKeys, projectRoot }),
    textSearch: withoutUndefined({ keepRecent, maxAgeMs, searchTools }),
  };
}

/** @param {ReportOptions['moment']} moment @param {number | null} last the session's last timestamp (ms) @returns {number | null} */
function chooseNow(moment, last) {
  if ('at' in moment) return moment.at;
  return last === null ? null : last + moment.afterLast;
}

/**
 * @param {import('./session-file.mjs').Session} session @param {import('./library.mjs').Library} library
 * @param {ReportOptions} options @returns {SessionReport}
 */
export function reportOnSession(session, library, options) {
  const { messages } = session;
  const timestamps = measureTimestamps(messages);
  const now = chooseNow(options.moment, timestamps.last);
  const projectRoot = chooseProjectRoot(session, options);
  const rules = prepareOptions(options, projectRoot);
  const started = performance.now();
  // Without timestamps every age counts as exceeded, so a fixed `now` is enough.
  const prepared = library.prepareMessages(messages, { ...rules, now: now ?? 0 });
  const durationMs = performance.now() - started;
  const rows = /** @type {any[]} */ (loadInternals().list.rowsOf(messages));
  const before = measureContent(messages);
  const after = measureContent(prepared.messages);
  const { changed, byRule, unrecognised, unrecognisedForms, timestamps: times } = prepared.report;
  return {
    file: session.file,
    format: session.format,
    messages: messages.length,
    oddEntries: session.oddEntries,
    toolResults: countToolResults(rows),
    timestamps,
    now,
    projectRoot,
    changed,
    unrecognised,
    unrecognisedForms,
    unknownAges: times.unknown,
    secondsTimes: times.seconds,
    byRule,
    onByDefault: Object.keys(library.prepareMessages([]).report.byRule),
    units: { before: before.text.units, after: after.text.units },
    estimatedTokens: { before: before.text.estimatedTokens, after: after.text.estimatedTokens },
    images: before.images,
    resultSavings: measureResultSavings(new Set(messages), rows, library),
    repeated: measureRepeatedLines(messages, library, options.placeholderLanguage),
    durationMs: Math.round(durationMs * 1000) / 1000,
    coverage: findUncoveredTools(rows, library.prepareMessages, rules),
  };
}

/** @param {readonly SessionReport[]} reports @returns {Totals} sums over all sessions */
export function totalsOf(reports) {
  /** @type {(figure: (report: SessionReport) => number) => number} */
  const sum = (figure) => reports.reduce((total, report) => total + figure(report), 0);
  /** @type {(name: 'units' | 'estimatedTokens') => Totals['units']} */
  const sumBoth = (name) => ({
    before: sum((report) => report[name].before),
    after: sum((report) => report[name].after),
  });
  /** @type {Totals['byRule']} */
  const byRule = {};
  for (const name of new Set(reports.flatMap((report) => Object.keys(report.byRule)))) {
    byRule[name] = {
      changed: sum((report) => report.byRule[name]?.changed ?? 0),
      unitsRemoved: sum((report) => report.byRule[name]?.unitsRemoved ?? 0),
      estimatedTokensSaved: sum((report) => report.byRule[name]?.estimatedTokensSaved ?? 0),
    };
  }
  return {
    sessions: reports.length,
    messages: sum((report) => report.messages),
    toolResults: sum((report) => report.toolResults),
    changed: sum((report) => report.changed),
    byRule,
    units: sumBoth('units'),
    estimatedTokens: sumBoth('estimatedTokens'),
    durationMs: Math.round(sum((report) => report.durationMs) * 1000) / 1000,
  };
}
