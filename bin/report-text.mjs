// @ts-check
/** Renders `palimpsest report` on message lists: a block for each, then an overview table if there are several. */
import { printable } from './print.mjs';
import { totalsOf } from './session-report.mjs';
import { renderTable, right, wrapped } from './table.mjs';
import { coarseDuration, formatCount, instant, looksLike, milliseconds, plural, savedShare } from './wording.mjs';

/** @import { SessionReport } from './session-report.mjs' */
/** @import { Look } from './print.mjs' */

/** @type {Readonly<Record<string, string>>} */
const ruleTitles = { orphans: 'orphans', terminal: 'terminal', fileReads: 'file reads', textSearch: 'text search' };
const maxPaths = 3;

/** What the file holds, and the time at which ages were judged. @param {SessionReport} report */
function describeSession({ messages, toolResults, timestamps: { first, last }, now, images }) {
  const lines = [`${plural(messages, 'message')}, ${plural(toolResults, 'tool result')}`];
  if (first !== null && last !== null && now !== null) {
    lines[0] += `, ${coarseDuration(last - first)} from ${instant(first)}`;
    const distance = `${coarseDuration(Math.abs(now - last))} ${now > last ? 'after' : 'before'} `;
    lines.push(`ages judged at ${instant(now)}, ${now === last ? '' : distance}its last timestamp`);
  }
  if (images.count > 0)
    lines.push(`${plural(images.count, 'image')} besides the text (${formatCount(images.units)} units of data)`);
  return lines;
}

/** What the figures don't include, or what may be wrong with the file. @param {SessionReport} report */
function notesOf({ timestamps, toolResults, oddEntries, coverage, messages, unrecognised, ...report }) {
  const { count, resultsWithout, notTimes } = timestamps;
  const { secondsTimes, unrecognisedForms } = report;
  const results = (/** @type {number} */ amount) => plural(amount, 'tool result');
  const hinted = coverage.uncovered.filter(({ kind }) => kind !== null);
  const tools = hinted.map(
    (one) => `${plural(one.results, 'result')} of ${one.tool} (${formatCount(one.units)} units)`,
  );
  const share = `${formatCount(unrecognised)} of ${plural(messages, 'message')}`;
  const notes = [
    count === 0 && 'no message has a timestamp: ages count as exceeded, and the later in the file the newer',
    count > 0 &&
      resultsWithout > 0 &&
      `${results(resultsWithout)} of ${formatCount(toolResults)} without a timestamp: left as they are`,
    notTimes > 0 && `${plural(notTimes, 'message')} with a timestamp that is no time: expected milliseconds since 1970`,
    secondsTimes > 0 && `${results(secondsTimes)} with a time in seconds: read as such, milliseconds are expected`,
    unrecognised > 0 && `${share} not recognised (${looksLike(unrecognisedForms)}): nothing was counted stale in them`,
    oddEntries > 0 && `${plural(oddEntries, 'entry', 'entries')} of no form that is known: left as they are`,
    hinted.length > 0 && `no rule covers ${tools.join(', ')};\ntry ${coverage.suggestion.join(' ')}`,
  ];
  return notes.filter((note) => note !== false);
}

/** @param {SessionReport} report @param {Look} look */
function renderRules({ byRule, onByDefault, coverage }, look) {
  const columns = [
    { title: 'rule', flexible: true },
    ...['covers', 'changed', 'UTF-16 units saved'].map((title) => right(title)),
    right('o200k tokens saved', { style: look.styles.green }),
  ];
  /** @type {string[][]} */ const rows = [];
  for (const [name, { changed, unitsRemoved, estimatedTokensSaved, byPath = {} }] of Object.entries(byRule)) {
    const title = `${ruleTitles[name] ?? name}${onByDefault.includes(name) ? '' : ' *'}`;
    // Orphans are not a kind of result, so they have no coverage.
    const covers = name === 'orphans' ? '' : formatCount(coverage.byRule[name] ?? 0);
    rows.push([title, covers, ...[changed, unitsRemoved, estimatedTokensSaved].map(formatCount)]);
    const paths = Object.entries(byPath).filter(([, figures]) => figures.changed > 0);
    paths.sort(([, a], [, b]) => b.unitsRemoved - a.unitsRemoved);
    for (const [path, figures] of paths.slice(0, maxPaths)) {
      rows.push([`  ${path}`, '', formatCount(figures.changed), formatCount(figures.unitsRemoved), '']);
    }
    if (paths.length > maxPaths) rows.push([`  and ${plural(paths.length - maxPaths, 'other path')}`, '', '', '', '']);
  }
  return renderTable(columns, rows, look, { indent: '  ' });
}

/** @param {SessionReport} report @param {Look} look */
function renderBeforeAfter({ units, estimatedTokens }, look) {
  const saved = right('saved', { style: look.styles.green });
  const columns = [{ title: 'sent to the model' }, right('before'), right('after'), saved];
  const row = (/** @type {string} */ title, /** @type {SessionReport['units']} */ figures) => [
    ...[title, formatCount(figures.before), formatCount(figures.after), savedShare(figures)],
  ];
  const rows = [row('UTF-16 units', units), row('tokens (o200k_base)', estimatedTokens)];
  return renderTable(columns, rows, look, { indent: '  ' });
}

/** @param {SessionReport['resultSavings']['sanitizing']} savings */
const savingsText = ({ results, unitsRemoved, estimatedTokensSaved }) =>
  `${plural(results, 'result')}, ${formatCount(unitsRemoved)} units, ${formatCount(estimatedTokensSaved)} o200k tokens`;

/** What other functions would save. @param {SessionReport} report */
function describeSavings({ byRule, onByDefault, resultSavings: { sanitizing, truncating } }) {
  // Rules that the report applies and a plain `prepareMessages(messages)` does not.
  const off = Object.keys(byRule).filter((name) => !onByDefault.includes(name));
  const options = off.map((name) => `{ ${name}: true }`).join(', ');
  const line = (/** @type {string} */ what, /** @type {typeof sanitizing} */ savings) =>
    savings.results === 0 ? [] : `${what}: ${savingsText(savings)}`;
  return [
    off.length === 0 ? [] : `* off in prepareMessages unless asked for: ${options}`,
    line('sanitising tool results would save', sanitizing),
    line(`truncating them at ${formatCount(truncating.limit)} units would save`, truncating),
  ].flat();
}

/** @param {SessionReport} report @param {Look} look */
function describeRepeated({ repeated }, { styles, width }) {
  if (repeated.results === 0) return [];
  const line = `a view refers to lines that the request already holds: ${savingsText(repeated)}`;
  if (repeated.example === null) return [line];
  const { message, stored, lines: shown } = repeated.example;
  const cut = (/** @type {string} */ text) => (text.length > width - 6 ? `${text.slice(0, width - 7)}…` : text);
  return [
    line,
    styles.dim(`message ${formatCount(message + 1)}, ${plural(stored, 'line')} as stored, is sent as`),
    ...shown.map((text) => `  ${cut(printable(text))}`),
  ];
}

/** @param {SessionReport} report @param {Look} look */
function renderSession(report, look) {
  const { styles, width } = look;
  const indented = (/** @type {string[]} */ lines) => lines.map((line) => `  ${line}`);
  const notes = notesOf(report).map((note) => {
    const lines = wrapped(printable(note, '\n'), width - 8).split('\n');
    return `  ${styles.yellow('note:')} ${lines.join('\n        ')}`;
  });
  return [
    styles.bold(printable(report.file)),
    ...indented(describeSession(report)),
    '',
    renderRules(report, look),
    renderBeforeAfter(report, look),
    ...indented([...describeSavings(report), ...describeRepeated(report, look)]),
    `  ${styles.dim(`prepareMessages took ${milliseconds(report.durationMs)}`)}`,
    ...notes,
    '',
  ].join('\n');
}

/** File names relative to their common directory. @param {readonly SessionReport[]} reports */
function shortNames(reports) {
  const files = reports.map(({ file }) => file);
  const [first = ''] = files;
  let shared = first.search(/[^\\/]*$/);
  while (shared > 0 && !files.every((file) => file.startsWith(first.slice(0, shared)))) {
    shared = first.slice(0, shared - 1).search(/[^\\/]*$/);
  }
  return files.map((file) => file.slice(shared));
}

/** @param {readonly SessionReport[]} reports @param {Look} look */
function renderOverview(reports, look) {
  const ruleNames = [...new Set(reports.flatMap((report) => Object.keys(report.byRule)))];
  const totals = totalsOf(reports);
  const { green } = look.styles;
  /**
   * A narrow terminal drops columns; the blocks above show every figure.
   * @type {[column: import('./table.mjs').Column, textOf: (figures: typeof totals | SessionReport) => string][]}
   */
  const columns = [
    [right('messages', { dropOrder: 4 }), ({ messages }) => formatCount(messages)],
    [right('results', { dropOrder: 3 }), ({ toolResults }) => formatCount(toolResults)],
    ...ruleNames.map((name) => {
      const title = right(ruleTitles[name] ?? name, { dropOrder: 2 });
      return /** @type {(typeof columns)[number]} */ ([title, ({ byRule }) => formatCount(byRule[name]?.changed ?? 0)]);
    }),
    [right('changed', { dropOrder: 5 }), ({ changed }) => formatCount(changed)],
    [right('units'), ({ units }) => formatCount(units.before)],
    [right('→ after'), ({ units }) => formatCount(units.after)],
    [right('tokens'), ({ estimatedTokens }) => formatCount(estimatedTokens.before)],
    [right('→ after'), ({ estimatedTokens }) => formatCount(estimatedTokens.after)],
    [right('saved', { style: green }), ({ estimatedTokens }) => savedShare(estimatedTokens)],
    [right('time', { dropOrder: 1 }), ({ durationMs }) => milliseconds(durationMs)],
  ];
  const row = (/** @type {string} */ title, /** @type {typeof totals | SessionReport} */ figures) => {
    return [title, ...columns.map(([, textOf]) => textOf(figures))];
  };
  const names = shortNames(reports);
  const rows = [...reports.map((report, index) => row(names[index] ?? '', report)), row('total', totals)];
  const session = { title: 'session', flexible: true };
  return renderTable([session, ...columns.map(([column]) => column)], rows, look, { hasTotal: true });
}

/** @param {readonly SessionReport[]} reports @param {Look} look */
export function renderReports(reports, look) {
  const blocks = reports.map((report) => renderSession(report, look));
  // The overview comes last because a terminal shows the end of a long output.
  if (reports.length > 1) blocks.push(renderOverview(reports, look));
  return blocks.join('\n');
}
