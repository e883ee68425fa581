// @ts-check
/** Renders `palimpsest report` on message lists: a block for each, then an overview table if there are several. */
import { printable } from './print.mjs';
import { totalsOf } from './session-report.mjs';
import { renderTable, right, wrapped } from './table.mjs';
import {
  coarseDuration,
  formatCount,
  instant,
  looksLike,
  milliseconds,
  plural,
  relateToLast,
  savedShare,
} from './wording.mjs';

/**
 * @typedef {import('./session-report.mjs').SessionReport} SessionReport
 * @typedef {import('../docs/command-json.js').BeforeAfter} BeforeAfter
 * @typedef {import('./terminal.mjs').Look} Look
 */

/** @type {Readonly<Record<string, string>>} */
const ruleTitles = { orphans: 'orphans', terminal: 'terminal', fileReads: 'file reads', textSearch: 'text search' };
const maxPaths = 3;

/** What the file holds, and the time at which ages were judged. @param {SessionReport} report @returns {string[]} */
function describeSession(report) {
  const { messages, toolResults, timestamps, now, images } = report;
  const lines = [`${plural(messages, 'message')}, ${plural(toolResults, 'tool result')}`];
  if (timestamps.first !== null && timestamps.last !== null && now !== null) {
    lines[0] += `, ${coarseDuration(timestamps.last - timestamps.first)} from ${instant(timestamps.first)}`;
    lines.push(`ages judged at ${instant(now)}, ${relateToLast(now - timestamps.last)}`);
  }
  if (images.count > 0)
    lines.push(`${plural(images.count, 'image')} besides the text (${formatCount(images.units)} units of data)`);
  return lines;
}

/** What the figures don't include, or what may be wrong with the file. @param {SessionReport} report @returns {string[]} */
function notesOf(report) {
  const { timestamps, toolResults, oddEntries, coverage, messages, unrecognised, secondsTimes } = report;
  const { count, resultsWithout, notTimes } = timestamps;
  const results = (/** @type {number} */ amount) => plural(amount, 'tool result');
  const looks = looksLike(report.unrecognisedForms);
  const hinted = coverage.uncovered.filter(({ kind }) => kind !== null);
  const tools = hinted.map(
    (one) => `${plural(one.results, 'result')} of ${one.tool} (${formatCount(one.units)} units)`,
  );
  const notes = [
    count === 0 && 'no message has a timestamp: ages count as exceeded, and the later in the file the newer',
    count > 0 &&
      resultsWithout > 0 &&
      `${results(resultsWithout)} of ${formatCount(toolResults)} without a timestamp: left as they are`,
    notTimes > 0 && `${plural(notTimes, 'message')} with a timestamp that is no time: expected milliseconds since 1970`,
    secondsTimes > 0 && `${results(secondsTimes)} with a time in seconds: read as such, milliseconds are expected`,
    unrecognised > 0 &&
      `${formatCount(unrecognised)} of ${plural(messages, 'message')} not recognised (${looks}): nothing was counted stale in them`,
    oddEntries > 0 && `${plural(oddEntries, 'entry', 'entries')} of no form that is known: left as they are`,
    hinted.length > 0 && `no rule covers ${tools.join(', ')};\ntry ${coverage.suggestion.join(' ')}`,
  ];
  return notes.filter((note) => note !== false);
}

/** @param {SessionReport} report @param {Look} look @returns {string} */
function renderRules(report, look) {
  const columns = [
    { title: 'rule', flexible: true },
    right('covers'),
    right('changed'),
    right('UTF-16 units saved'),
    right('o200k tokens saved', { style: look.styles.green }),
  ];
  /** @type {string[][]} */
  const rows = [];
  for (const [name, rule] of Object.entries(report.byRule)) {
    const isOff = !report.onByDefault.includes(name);
    const title = `${ruleTitles[name] ?? name}${isOff ? ' *' : ''}`;
    // Orphans are not a kind of result, so they have no coverage.
    const covers = name === 'orphans' ? '' : formatCount(report.coverage.byRule[name] ?? 0);
    rows.push([
      title,
      covers,
      formatCount(rule.changed),
      formatCount(rule.unitsRemoved),
      formatCount(rule.estimatedTokensSaved),
    ]);
    const paths = Object.entries(rule.byPath ?? {}).filter(([, figures]) => figures.changed > 0);
    paths.sort(([, a], [, b]) => b.unitsRemoved - a.unitsRemoved);
    for (const [path, figures] of paths.slice(0, maxPaths)) {
      rows.push([`  ${path}`, '', formatCount(figures.changed), formatCount(figures.unitsRemoved), '']);
    }
    if (paths.length > maxPaths) rows.push([`  and ${plural(paths.length - maxPaths, 'other path')}`, '', '', '', '']);
  }
  return renderTable(columns, rows, look, { indent: '  ' });
}

/** @param {SessionReport} report @param {Look} look @returns {string} */
function renderBeforeAfter({ units, estimatedTokens }, look) {
  const { green } = look.styles;
  const columns = [{ title: 'sent to the model' }, right('before'), right('after'), right('saved', { style: green })];
  /** @type {(title: string, figures: BeforeAfter) => string[]} */
  const row = (title, figures) => [title, formatCount(figures.before), formatCount(figures.after), savedShare(figures)];
  const rows = [row('UTF-16 units', units), row('tokens (o200k_base)', estimatedTokens)];
  return renderTable(columns, rows, look, { indent: '  ' });
}

/** Lists rules that the report applies and a plain `prepareMessages(messages)` does not. @param {SessionReport} report @returns {string[]} */
function describeRulesOff({ byRule, onByDefault }) {
  const off = Object.keys(byRule).filter((name) => !onByDefault.includes(name));
  const options = off.map((name) => `{ ${name}: true }`).join(', ');
  return off.length === 0 ? [] : [`* off in prepareMessages unless asked for: ${options}`];
}

/** @param {SessionReport} report @returns {string[]} */
function describeResultSavings({ resultSavings: { sanitizing, truncating } }) {
  /** @type {(what: string, savings: import('../docs/command-json.js').ListReport['resultSavings']['sanitizing']) => string[]} */
  const line = (what, { results, unitsRemoved, estimatedTokensSaved }) =>
    results === 0
      ? []
      : [
          `${what}: ${plural(results, 'result')}, ${formatCount(unitsRemoved)} units, ${formatCount(estimatedTokensSaved)} o200k tokens`,
        ];
  return [
    ...line('sanitising tool results would save', sanitizing),
    ...line(`truncating them at ${formatCount(truncating.limit)} units would save`, truncating),
  ];
}

/** @param {SessionReport} report @param {Look} look @returns {string[]} */
function describeRepeated({ repeated: { results, unitsRemoved, estimatedTokensSaved, example } }, { styles, width }) {
  if (results === 0) return [];
  const savings = `${formatCount(unitsRemoved)} units, ${formatCount(estimatedTokensSaved)} o200k tokens`;
  const lines = [`a view refers to lines that the request already holds: ${plural(results, 'result')}, ${savings}`];
  if (example === null) return lines;
  const { message, stored, lines: shown } = example;
  const cut = (/** @type {string} */ line) => (line.length > width - 6 ? `${line.slice(0, width - 7)}…` : line);
  return [
    ...lines,
    styles.dim(`message ${formatCount(message + 1)}, ${plural(stored, 'line')} as stored, is sent as`),
    ...shown.map((line) => `  ${cut(printable(line))}`),
  ];
}

/** @param {SessionReport} report @param {Look} look @returns {string} */
function renderSession(report, look) {
  const { styles, width } = look;
  const notes = notesOf(report).flatMap((note) => {
    const [first = '', ...rest] = wrapped(printable(note, '\n'), width - 8).split('\n');
    return [`  ${styles.yellow('note:')} ${first}`, ...rest.map((line) => `        ${line}`)];
  });
  return [
    styles.bold(printable(report.file)),
    ...describeSession(report).map((line) => `  ${line}`),
    '',
    renderRules(report, look),
    renderBeforeAfter(report, look),
    ...describeRulesOff(report).map((line) => `  ${line}`),
    ...describeResultSavings(report).map((line) => `  ${line}`),
    ...describeRepeated(report, look).map((line) => `  ${line}`),
    `  ${styles.dim(`prepareMessages took ${milliseconds(report.durationMs)}`)}`,
    ...notes,
    '',
  ].join('\n');
}

/** @param {readonly SessionReport[]} reports @returns {string[]} file names relative to their common directory */
function shortNames(reports) {
  const files = reports.map(({ file }) => file);
  const [first = ''] = files;
  let shared = first.search(/[^\\/]*$/);
  while (shared > 0 && !files.every((file) => file.startsWith(first.slice(0, shared)))) {
    shared = first.slice(0, shared - 1).search(/[^\\/]*$/);
  }
  return files.map((file) => file.slice(shared));
}

/** @param {readonly SessionReport[]} reports @param {Look} look @returns {string} */
function renderOverview(reports, look) {
  const ruleNames = [...new Set(reports.flatMap((report) => Object.keys(report.byRule)))];
  // A narrow terminal drops columns; the blocks above show every figure.
  const columns = [
    { title: 'session', flexible: true },
    right('messages', { dropOrder: 4 }),
    right('results', { dropOrder: 3 }),
    ...ruleNames.map((name) => right(ruleTitles[name] ?? name, { dropOrder: 2 })),
    right('changed', { dropOrder: 5 }),
    right('units'),
    right('→ after'),
    right('tokens'),
    right('→ after'),
    right('saved', { style: look.styles.green }),
    right('time', { dropOrder: 1 }),
  ];
  const totals = totalsOf(reports);
  /** @type {(title: string, figures: typeof totals | SessionReport) => string[]} */
  const row = (title, figures) => [
    title,
    formatCount(figures.messages),
    formatCount(figures.toolResults),
    ...ruleNames.map((name) => formatCount(figures.byRule[name]?.changed ?? 0)),
    formatCount(figures.changed),
    formatCount(figures.units.before),
    formatCount(figures.units.after),
    formatCount(figures.estimatedTokens.before),
    formatCount(figures.estimatedTokens.after),
    savedShare(figures.estimatedTokens),
    milliseconds(figures.durationMs),
  ];
  const names = shortNames(reports);
  const rows = [...reports.map((report, index) => row(names[index] ?? '', report)), row('total', totals)];
  return renderTable(columns, rows, look, { hasTotal: true });
}

/** @param {readonly SessionReport[]} reports @param {Look} look @returns {string} */
export function renderReports(reports, look) {
  const blocks = reports.map((report) => renderSession(report, look));
  // The overview comes last because a terminal shows the end of a long output.
  if (reports.length > 1) blocks.push(renderOverview(reports, look));
  return blocks.join('\n');
}
