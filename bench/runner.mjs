// @ts-check
/**
 * Measures contenders side by side. Every round runs each of them once, in rotating order, in one process, so that a
 * slow moment of the machine affects all. Reports medians only; compare their ratios.
 *
 * @typedef {{ prepare?: () => any, run: (input: any, iteration: number) => unknown }} Contender one of the programs that
 *   are compared; `prepare` isn't timed
 * @typedef {{ text: string, met: (times: Record<string, number>) => boolean }} Goal
 * @typedef {{ text: string, met: boolean }} Verdict
 * @typedef {{ work: string, times: Record<string, number>, goals: Verdict[], unit?: Unit }} Row
 * @typedef {'ms' | 'kB' | 'MB' | 'tokens'} Unit unit of `times`; default: ms
 */

import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/** Keeps results alive, so that the work isn't optimised away. */
let sink;

/**
 * @param {string} work what is measured
 * @param {Record<string, Contender>} contenders
 * @param {{ rounds: number, warmUp?: number, iterations?: number, goals?: Goal[] }} plan `iterations` of one round are
 *   timed together, because the clock is inaccurate below a microsecond
 * @returns {Row}
 */
export function measure(work, contenders, { rounds, warmUp = 2, iterations = 1, goals = [] }) {
  const participants = Object.entries(contenders).map(([name, contender]) => ({
    name,
    contender,
    taken: /** @type {number[]} */ ([]),
  }));
  for (let round = -warmUp; round < rounds; round++) {
    const first = (round + warmUp) % participants.length;
    for (const { contender, taken } of [...participants.slice(first), ...participants.slice(0, first)]) {
      const sample = time(contender, iterations);
      if (round >= 0) taken.push(sample);
    }
  }
  const samples = Object.fromEntries(participants.map(({ name, taken }) => [name, taken]));
  return rowOf(work, samples, goals);
}

/**
 * @param {string} work
 * @param {Record<string, number[]>} samples milliseconds
 * @param {Goal[]} [goals]
 * @returns {Row}
 */
export function rowOf(work, samples, goals = []) {
  const times = Object.fromEntries(Object.entries(samples).map(([name, taken]) => [name, median(taken)]));
  return { work, times, goals: goals.map(({ text, met }) => ({ text, met: met(times) })) };
}

/** @param {Contender} contender @param {number} iterations */
function time({ prepare, run }, iterations) {
  const input = prepare?.();
  const start = process.hrtime.bigint();
  for (let iteration = 0; iteration < iterations; iteration++) sink = run(input, iteration);
  return Number(process.hrtime.bigint() - start) / 1e6 / iterations;
}

/**
 * Speed of `name` as a multiple of `base`; empty if either has no time.
 * @param {Record<string, number>} times @param {string} base @param {string} name
 */
function ratioOf(times, base, name) {
  const [ofBase, ofName] = [times[base], times[name]];
  return ofBase === undefined || ofName === undefined ? '' : `${figure(ofBase / ofName)}×`;
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const valueAt = (/** @type {number} */ index) => sorted[index] ?? Number.NaN;
  return (valueAt((sorted.length - 1) >> 1) + valueAt(sorted.length >> 1)) / 2;
}

/** The value that the given share of all values doesn't exceed. @param {readonly number[]} values @param {number} share from 0 to 1 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** CPU time of this process so far. */
export function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The goal of taking at most so long. @param {number} ms @returns {Goal} */
export function within(ms) {
  return { text: `≤ ${ms} ms`, met: ({ product = Number.NaN }) => product <= ms };
}

/** The goals, and whether they are met. @param {readonly Verdict[]} goals @param {string} [unmet] */
export function verdictsOf(goals, unmet = '**not met**') {
  return goals.map(({ text, met }) => `${text}: ${met ? 'met' : unmet}`).join('; ');
}

/**
 * A Markdown table. All but the first columns and the goals are numbers.
 * @param {readonly string[]} head @param {readonly (readonly unknown[])[]} body @param {number} [texts] number of first columns that are texts
 */
export function markdownTable(head, body, texts = 1) {
  const rule = head.map((name, column) => (column < texts || name.startsWith('goal') ? '---' : '--:'));
  return [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/**
 * Runs a benchmark that is called as a program, `node bench/NAME.mjs [--quick]`.
 * @template T @param {string} url of its module
 * @param {(run: { quick: boolean, progress: (work: string) => void }) => Iterable<T> | AsyncIterable<T>} rows
 * @param {(rows: T[]) => string} show
 */
export async function runIfCalled(url, rows, show) {
  if (url !== pathToFileURL(process.argv[1] ?? '').href) return;
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  const all = [];
  for await (const row of rows({ quick: values.quick, progress: (work) => console.error(`${work} …`) })) all.push(row);
  console.log(show(all));
}

/**
 * Markdown for `docs/benchmarks.md`: times with their ratio to the reference, and the goals.
 * @param {readonly Row[]} rows
 * @returns {string}
 */
export function markdown(rows) {
  const [base = '', ...others] = [...new Set(rows.flatMap(({ times }) => Object.keys(times)))];
  const body = rows.map(({ work, times, goals, unit }) => {
    const cells = others.map((name) => {
      const ratio = ratioOf(times, base, name);
      return amount(times[name], unit) + (ratio && ` (${ratio})`);
    });
    return [work, amount(times[base], unit), ...cells, verdictsOf(goals)];
  });
  return markdownTable(['work', base, ...others, 'goal'], body);
}

/**
 * A plain text table: times, ratios to the reference, and the goals.
 * @param {readonly Row[]} rows
 * @returns {string}
 */
export function table(rows) {
  const names = [...new Set(rows.flatMap(({ times }) => Object.keys(times)))];
  const [base = '', ...others] = names;
  const head = ['work', ...names, ...others.map((name) => `${base}/${name}`), 'goal'];
  const body = rows.map(({ work, times, goals, unit }) => {
    const ratios = others.map((name) => ratioOf(times, base, name));
    return [work, ...names.map((name) => amount(times[name], unit)), ...ratios, verdictsOf(goals, 'NOT MET')];
  });
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((cells) => cells[column]?.length ?? 0)));
  /** @type {(cell: string, column: number) => string} */
  const pad = (cell, column) => {
    if (column === head.length - 1) return cell;
    return column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  };
  const rule = widths.map((width) => '-'.repeat(width));
  return [head, rule, ...body].map((cells) => cells.map(pad).join('  ')).join('\n');
}

/** A value with its unit. @param {number | undefined} value @param {Unit} [unit] */
export function amount(value, unit = 'ms') {
  if (value === undefined) return '';
  return unit === 'ms' ? duration(value) : `${figure(value)} ${unit}`;
}

/** @param {number} ms */
function duration(ms) {
  return ms >= 1 ? `${figure(ms)} ms` : `${figure(ms * 1000)} µs`;
}

/** More than three significant digits would exceed the measurement's accuracy. @param {number} value */
function figure(value) {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

export { sink };
