// @ts-check
/** Formats the table of `npm run platforms`, and checks its results. */
import { markdownTable } from '../../bench/runner.mjs';

/** The smoke test's results, each in its column. */
const CHECKS = ['names', 'clean', 'archive', 'workers', 'http', 'compression', 'errors'];
/** Result of `clean` for the recorded session, the same on every platform. */
const EXPECTED = '24 changed, 64,965 units, 41,700 tokens';

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} [by] runtime or emulator
 * @property {string} [skipped] what is missing
 * @property {import('./project.mjs').Found} [found]
 * @property {string} [exit] `ok`, or how the smoke test failed
 * @property {import('./core-tests.mjs').TestResult} [tests] results of the core's unit tests, if the platform is emulated
 * @property {string} [failed] error before anything ran
 */

/** Text of a result. @param {unknown} value @returns {string} */
function cell(value) {
  if (value === undefined) return 'not reached';
  if (typeof value !== 'object' || value === null) return String(value);
  if ('changed' in value) {
    const { changed, units, tokens } = /** @type {Record<string, number>} */ (value);
    const count = (/** @type {number | undefined} */ number) => (number ?? 0).toLocaleString('en-US');
    return `${count(changed)} changed, ${count(units)} units, ${count(tokens)} tokens`;
  }
  return 'failed';
}

/** @param {Row['tests']} tests @returns {string} */
function testCell(tests) {
  if (tests === undefined) return '–';
  return `${tests.passed.toLocaleString('en-US')} passed${tests.faults.length > 0 ? ', failed' : ''}`;
}

/** @param {Row} row @returns {string[]} one sentence per fault */
export function faultsOf({ name, skipped, found, exit, tests, failed }) {
  if (skipped !== undefined) return [];
  if (failed !== undefined) return [`${name}: ${failed}`];
  const faults = CHECKS.flatMap((check) => {
    const value = found?.[check];
    if (value === undefined) return [`${check} was not reached`];
    const { failed: reason } = /** @type {{ failed?: string }} */ (value);
    if (reason !== undefined) return [`${check}: ${reason}`];
    return check === 'clean' && cell(value) !== EXPECTED ? [`clean: ${cell(value)}, expected ${EXPECTED}`] : [];
  });
  if (exit !== 'ok') faults.push(`exit: ${exit}`);
  faults.push(...(tests?.faults ?? []).map((failed) => `core’s tests: ${failed}`));
  return faults.map((fault) => `${name}: ${fault}`);
}

/** The table, and a line for each skipped platform. @param {readonly Row[]} rows @returns {string} */
export function tableOf(rows) {
  const ran = rows.filter(({ skipped, failed }) => skipped === undefined && failed === undefined);
  const lines = ran.map(({ name, by = '', found, exit, tests }) => {
    const cells = CHECKS.map((check) => cell(found?.[check]));
    return [name, String(found?.version ?? ''), by, ...cells, exit === 'ok' ? 'ok' : 'failed', testCell(tests)];
  });
  const heads = ['platform', 'version', 'by', 'exported names', 'clean-up', ...CHECKS.slice(2), 'exit', 'core’s tests'];
  const skipped = rows.filter((row) => row.skipped !== undefined);
  const table = ran.length > 0 ? [markdownTable(heads, lines, heads.length)] : [];
  return [...table, ...skipped.map(({ name, skipped }) => `skipped ${name}: ${skipped}`)].join('\n');
}
