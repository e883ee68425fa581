// @ts-check
/**
 * Measures contenders side by side. Every round runs each of them once, in rotating order, in one process, so that a
 * slow moment of the machine affects all. Reports medians only; compare their ratios.
 *
 * @typedef {{ prepare?: () => any, run: (input: any, iteration: number) => unknown }} Contender
 * @typedef {{ text: string, met: (times: Record<string, number>) => boolean }} Goal
 * @typedef {{ text: string, met: boolean }} Verdict
 * @typedef {{ work: string, times: Record<string, number>, goals: Verdict[], unit?: Unit }} Row
 * @typedef {'ms' | 'kB' | 'MB' | 'tokens'} Unit unit of `times`; default: ms
 */

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
  const entrants = Object.entries(contenders).map(([name, contender]) => ({
    name,
    contender,
    taken: /** @type {number[]} */ ([]),
  }));
  for (let round = -warmUp; round < rounds; round++) {
    const first = (round + warmUp) % entrants.length;
    for (const { contender, taken } of [...entrants.slice(first), ...entrants.slice(0, first)]) {
      const sample = time(contender, iterations);
      if (round >= 0) taken.push(sample);
    }
  }
  const samples = Object.fromEntries(entrants.map(({ name, taken }) => [name, taken]));
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

/** @param {Record<string, number>} times @param {string} name */
function timeOf(times, name) {
  return times[name] ?? Number.NaN;
}

/**
 * Speed of `name` as a multiple of `base`; undefined if either has no time.
 * @param {Record<string, number>} times @param {string} base @param {string} name
 */
function ratioOf(times, base, name) {
  return base in times && name in times ? `${figure(timeOf(times, base) / timeOf(times, name))}×` : '';
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (/** @type {number} */ index) => sorted[index] ?? Number.NaN;
  return (at((sorted.length - 1) >> 1) + at(sorted.length >> 1)) / 2;
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
    const verdicts = goals.map(({ text, met }) => `${text}: ${met ? 'met' : '**not met**'}`);
    return [work, amount(times[base], unit), ...cells, verdicts.join('; ')];
  });
  const head = ['work', base, ...others, 'goal'];
  const rule = head.map((_, column) => (column === 0 || column === head.length - 1 ? '---' : '--:'));
  return [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
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
    const verdicts = goals.map(({ text, met }) => `${text}: ${met ? 'met' : 'NOT MET'}`);
    return [work, ...names.map((name) => amount(times[name], unit)), ...ratios, verdicts.join('; ')];
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

/** @param {number | undefined} value @param {Unit} [unit] */
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
