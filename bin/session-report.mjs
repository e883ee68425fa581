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

/** @import { ListReport, ListReports } from '../docs/command-json.js' */

/**
 * @typedef {ListReport & { byRule: Readonly<Record<string, import('../index.mjs').RuleReport>> }} SessionReport
 * @typedef {ListReports['totals']} Totals
 */

/** Rounded to microseconds. @param {number} durationMs */
const roundedMs = (durationMs) => Math.round(durationMs * 1000) / 1000;

/**
 * @param {import('./session-file.mjs').Session} session @param {import('./library.mjs').Library} library
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
    terminal: {
      keepRecent,
      maxAgeMs,
      terminalTools: values['terminal-tools'],
      errors: values.errors,
    },
    fileReads: {
      keepRecent,
      readTools: values['read-tools'],
      pathKeys: values['path-keys'],
      projectRoot,
    },
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

/** @param {readonly SessionReport[]} reports @returns {Totals} sums over all sessions */
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
