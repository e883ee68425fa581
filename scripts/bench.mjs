// @ts-check
/** Runs the benches: `npm run bench -- [--quick] [--json file]`. Progress goes to stderr, tables to stdout. */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { table } from '../bench/runner.mjs';

const BENCHES = ['cleanup', 'tokens'];

const { values } = parseArgs({ options: { json: { type: 'string' }, quick: { type: 'boolean', default: false } } });
const results = [];
for (const name of BENCHES) {
  const bench = await import(`../bench/${name}.mjs`);
  const rows = [];
  const progress = (/** @type {string} */ work) => process.stderr.write(`${name}: ${work} …\n`);
  for await (const row of bench.rows({ quick: values.quick, progress })) rows.push(row);
  results.push({ name, title: bench.title, rows });
  process.stdout.write(`\n${bench.title}\n\n${table(rows)}\n`);
}
if (values.json !== undefined) {
  const machine = { node: process.version, platform: `${process.platform}-${process.arch}`, cpu: cpus()[0]?.model };
  writeFileSync(values.json, `${JSON.stringify({ machine, unit: 'ms', results }, null, 2)}\n`);
}
