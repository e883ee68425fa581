// @ts-check
/**
 * Measures contenders side by side: every round runs each of them once, in turning order, in one process, so that
 * a slow moment of the machine hits all of them. Medians only; what is compared is ratios.
 *
 * @typedef {{ prepare?: () => any, run: (input: any, iteration: number) => unknown }} Contender
 * @typedef {{ text: string, met: (times: Record<string, number>) => boolean }} Goal
 * @typedef {{ work: string, times: Record<string, number>, goals: { text: string, met: boolean }[] }} Row
 */

/** What is made of the results must not be optimised away. */
let sink;

/**
 * @param {string} work what is measured
 * @param {Record<string, Contender>} contenders
 * @param {{ rounds: number, warmUp?: number, iterations?: number, goals?: Goal[] }} plan `iterations` of one
 *   round are timed together: the clock can't see less than a microsecond well
 * @returns {Row}
 */
export function measure(work, contenders, { rounds, warmUp = 2, iterations = 1, goals = [] }) {
  const names = Object.keys(contenders);
  /** @type {Record<string, number[]>} */
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round + warmUp) % names.length];
      const taken = time(contenders[name], iterations);
      if (round >= 0) samples[name].push(taken);
    }
  }
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

/** `name` takes at most 1/`factor` of the time of `than`. @returns {Goal} */
export function faster(name, factor, than = 'reference') {
  const text = factor < 1 ? `${name} ≤ ${1 / factor}× the time of ${than}` : `${name} ≥ ${factor}× as fast as ${than}`;
  return { text, met: (times) => times[than] / times[name] >= factor };
}

/** @param {Contender} contender @param {number} iterations */
function time({ prepare, run }, iterations) {
  const input = prepare?.();
  const start = process.hrtime.bigint();
  for (let iteration = 0; iteration < iterations; iteration++) sink = run(input, iteration);
  return Number(process.hrtime.bigint() - start) / 1e6 / iterations;
}

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * A plain table: times, ratios to the reference, and what was aimed at.
 * @param {readonly Row[]} rows
 * @returns {string}
 */
export function table(rows) {
  const names = [...new Set(rows.flatMap(({ times }) => Object.keys(times)))];
  const head = ['work', ...names, ...names.slice(1).map((name) => `${names[0]}/${name}`), 'goal'];
  const body = rows.map(({ work, times, goals }) => {
    const ratio = (name) => (times[name] === undefined ? '' : `${figure(times[names[0]] / times[name])}×`);
    const verdicts = goals.map(({ text, met }) => `${text}: ${met ? 'met' : 'NOT MET'}`);
    return [work, ...names.map((name) => duration(times[name])), ...names.slice(1).map(ratio), verdicts.join('; ')];
  });
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((cells) => cells[column].length)));
  const line = (cells) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : pad(cell, column))).join('  ');
  const pad = (cell, column) => (column === head.length - 1 ? cell : cell.padStart(widths[column]));
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...body.map(line)].join('\n');
}

/** @param {number | undefined} ms */
function duration(ms) {
  if (ms === undefined) return '';
  return ms >= 1 ? `${figure(ms)} ms` : `${figure(ms * 1000)} µs`;
}

/** Three significant digits are more than the measurement knows. @param {number} value */
function figure(value) {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

export { sink };
