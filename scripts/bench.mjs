// @ts-check
/**
 * Runs the benchmarks: `npm run bench -- [--quick] [--only name]… [--json file] [--markdown file]`. Progress goes to
 * stderr, tables to stdout.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { markdown, table } from '../bench/runner.mjs';
import { ensureBuilt } from './ensure-built.mjs';
import { programArguments } from './run-program.mjs';

const BENCHES = [
  'felt',
  'tokens',
  'compression',
  'cache',
  'view-cost',
  'promise',
  'stores',
  'loading',
  'ui',
  'ui-context',
];

const { values } = programArguments({
  options: {
    json: { type: 'string' },
    markdown: { type: 'string' },
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
  },
});
const chosen = values.only ?? BENCHES;
const unknown = chosen.filter((name) => !BENCHES.includes(name));
if (unknown.length > 0) throw new Error(`expected --only with one of ${BENCHES.join(', ')}; got ${unknown.join(', ')}`);
// Timings need a release build; `--quick` only checks that the benchmarks run.
if (!values.quick) await ensureBuilt({ dev: true, release: true });
const results = [];
for (const name of chosen) {
  const bench = await import(`../bench/${name}.mjs`);
  const rows = [];
  const progress = (/** @type {string} */ work) => process.stderr.write(`${name}: ${work} …\n`);
  for await (const row of bench.rows({ quick: values.quick, progress })) rows.push(row);
  const formats = { markdown: bench.markdown ?? markdown, table: bench.table ?? table };
  results.push({ name, title: bench.title, rows, formats });
  process.stdout.write(`\n${bench.title}\n\n${formats.table(rows)}\n`);
}
if (values.json !== undefined) {
  const machine = { node: process.version, platform: `${process.platform}-${process.arch}`, cpu: cpus()[0]?.model };
  writeFileSync(
    values.json,
    `${JSON.stringify({ machine, unit: 'ms', results: results.map(({ formats, ...result }) => result) }, null, 2)}\n`,
  );
}
if (values.markdown !== undefined) {
  const sections = results.map(({ title, rows, formats }) => `## ${title}\n\n${formats.markdown(rows)}\n`);
  writeFileSync(values.markdown, sections.join('\n'));
}
