// @ts-check
/**
 * `npm run fuzz:targets -- 5`: libFuzzer fuzzes the Rust core, each target for the given number of minutes, one target
 * per core at a time; exit code 1 if it finds anything. Inputs that reached new code are kept in `target/fuzz/corpus` for
 * the next run.
 *
 *   npm run fuzz:targets -- 5                                       all targets, 5 minutes each
 *   npm run fuzz:targets -- 5 --target bpe                          a single target; repeat `--target` for several
 *   npm run fuzz:targets -- --target bpe --case target/fuzz/…       a single case again, with its full output
 *
 * Uses the installed Rust toolchain and C++ compiler; stable Rust provides the coverage counters.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { markdownTable } from '../bench/runner.mjs';
import { hostTriple, requireCargo } from '../scripts/ensure-built.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
const crate = join(repository, 'fuzz/targets');
const built = join(repository, 'target/fuzz');
const TARGETS = readdirSync(join(crate, 'src/bin')).map((name) => basename(name, '.rs'));

/** The flags of cargo-fuzz without the sanitizer: that needs a nightly compiler, and the core has no `unsafe` code. */
const COUNTERS = [
  ...['-Cpasses=sancov-module', '-Cllvm-args=-sanitizer-coverage-level=4', '--cfg=fuzzing'],
  ...['inline-8bit-counters', 'pc-table', 'trace-compares'].map((name) => `-Cllvm-args=-sanitizer-coverage-${name}`),
].join(' ');
const MAX_CASE_SECONDS = 20;
const MAX_MEGABYTES = 2_048;
const MAX_WORD_UNITS = 60;

/** @typedef {{ target: string, cases: number, edges: number, of: number, found: string[], tail: string }} Row */

/** @param {string} line */
const announce = (line) => process.stderr.write(`${line}\n`);

function readArguments() {
  const { positionals, values } = parseArgs({
    options: { target: { type: 'string', multiple: true }, case: { type: 'string' } },
    allowPositionals: true,
  });
  const targets = values.target ?? TARGETS;
  const unknown = targets.filter((name) => !TARGETS.includes(name));
  if (unknown.length > 0) throw new RangeError(`--target: expected one of ${TARGETS.join(', ')}, got ${unknown}`);
  const minutes = Number(positionals[0] ?? 1);
  if (!(minutes > 0)) throw new RangeError(`expected a number of minutes, got ${positionals[0]}`);
  if (values.case !== undefined && targets.length !== 1) throw new RangeError('--case: expected one --target with it');
  return { targets, minutes, again: values.case };
}

/** @returns {string} folder with the built targets */
function build() {
  requireCargo();
  const host = hostTriple();
  // With an explicit target, build scripts and macros are compiled without counters, which couldn't be linked there.
  const words = ['build', '--release', '--locked', '--target', host, '--target-dir', built];
  const env = { ...process.env, RUSTFLAGS: COUNTERS };
  announce('fuzz:targets: building, which takes a few minutes the first time');
  const { status } = spawnSync('cargo', words, { cwd: crate, env, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`cargo ended with exit code ${status}`);
  return join(built, host, 'release');
}

/** Writes the initial corpora, and dictionaries of words to combine. */
function writeCorpora() {
  const samples = readFileSync(join(repository, 'crates/sessions/tests/samples.txt'), 'utf8').split('\n====\n');
  const rows = samples.flatMap((sample) => sample.split('\n')).filter((line) => line.includes('"event"'));
  const opencode = rows.flatMap((line) => {
    const { info, part } = JSON.parse(line).event?.properties ?? {};
    return [...(info?.role ? [`m${JSON.stringify(info)}`] : []), ...(part ? [`p${JSON.stringify(part)}`] : [])];
  });
  const seeds = { sessions: samples, json_probe: samples, bpe: samples, session_database: [opencode.join('\n')] };
  for (const [target, texts] of Object.entries(seeds)) {
    const folder = join(built, 'seeds', target);
    mkdirSync(folder, { recursive: true });
    for (const [index, text] of texts.entries()) writeFileSync(join(folder, `${index}`), text);
  }
  const words = new Set(samples.join('\n').match(/"[\w.$-]+"|[\w.$-]{3,}/g));
  const short = [...words].filter((word) => word.length <= MAX_WORD_UNITS);
  writeFileSync(join(built, 'words'), short.map((word) => `"${word.replaceAll('"', '\\"')}"\n`).join(''));
}

/** @param {string} folder @param {string} target @param {number} minutes @returns {Promise<Row>} */
async function run(folder, target, minutes) {
  const places = { corpus: join(built, 'corpus', target), found: join(built, 'found', target) };
  for (const place of Object.values(places)) mkdirSync(place, { recursive: true });
  const seeds = [join(built, 'seeds', target), join(crate, 'seeds', target)].filter((place) => isFolder(place));
  const words = [
    ...[`-max_total_time=${Math.round(minutes * 60)}`, '-print_final_stats=1', `-artifact_prefix=${places.found}/`],
    ...[`-timeout=${MAX_CASE_SECONDS}`, `-rss_limit_mb=${MAX_MEGABYTES}`, '-max_len=16384', '-use_value_profile=1'],
    ...(target === 'bpe' ? [] : [`-dict=${join(built, 'words')}`]),
    ...[places.corpus, ...seeds],
  ];
  const before = new Set(readdirSync(places.found));
  const { code, output } = await ended(join(folder, target), words);
  const found = readdirSync(places.found).filter((name) => !before.has(name) && !name.startsWith('slow-unit'));
  if (code !== 0 && found.length === 0) found.push(`exit code ${code}`);
  return { target, ...figuresIn(output), found, tail: output.slice(-4_000) };
}

/** @param {string} place */
function isFolder(place) {
  try {
    return readdirSync(place).length > 0;
  } catch {
    return false;
  }
}

/** @param {string} program @param {string[]} words @returns {Promise<{ code: number | null, output: string }>} */
function ended(program, words) {
  // In memory, because cases that write files would keep the disk busy.
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'palimpsest-fuzz-'));
  const env = { ...process.env, TMPDIR: folder };
  const child = spawn(program, words, { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'], env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      rmSync(folder, { recursive: true, force: true });
      resolve({ code, output });
    });
  });
}

/** @param {string} output */
function figuresIn(output) {
  const last = (/** @type {RegExp} */ pattern) => Number([...output.matchAll(pattern)].at(-1)?.[1] ?? 0);
  return {
    cases: last(/number_of_executed_units: (\d+)/g) || last(/^#(\d+)/gm),
    edges: last(/ cov: (\d+)/g),
    of: last(/\((\d+) inline 8-bit counters\)/g),
  };
}

/** @param {readonly Row[]} rows */
function table(rows) {
  const lines = rows.map(({ target, cases, edges, of, found }) => [
    target,
    cases.toLocaleString('en-US'),
    `${edges} of ${of}`,
    found.length,
  ]);
  return markdownTable(['target', 'cases', 'edges reached', 'findings'], lines);
}

/** @returns {Promise<number>} exit code */
async function main() {
  const { targets, minutes, again } = readArguments();
  const folder = build();
  if (again !== undefined) {
    const { status } = spawnSync(join(folder, targets[0] ?? ''), [again], { stdio: 'inherit' });
    return status === 0 ? 0 : 1;
  }
  writeCorpora();
  announce(`fuzz:targets: ${targets.join(', ')}, ${minutes} min each`);
  /** @type {Row[]} */
  const rows = [];
  const waiting = targets.slice();
  const work = async () => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
      const row = await run(folder, target, minutes);
      rows.push(row);
      announce(`fuzz:targets: ${target}: ${row.cases} cases, ${row.edges} edges, ${row.found.length} findings`);
      for (const name of row.found) {
        announce(
          `${row.tail}\n  npm run fuzz:targets -- --target ${target} --case target/fuzz/found/${target}/${name}`,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  rows.sort((one, other) => targets.indexOf(one.target) - targets.indexOf(other.target));
  process.stdout.write(`${table(rows)}\n`);
  return rows.some(({ found }) => found.length > 0) ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  announce(`npm run fuzz:targets: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
