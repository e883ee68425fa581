// @ts-check
/**
 * `npm test`: everything that must hold before a change is committed. What is Rust's and what needs the addon run side by side; the first
 * step that finds something wrong ends both.
 *
 *   npm test                                  all steps
 *   npm test -- --only node                   one step; repeat `--only` for several
 *   npm test -- --only node corpus threads    only the test files whose paths hold one of these words
 *   npm test -- --seed random                 other cases for the properties, Rust's and JavaScript's, or those of a seed
 *
 * Announcements go to stderr; stdout is the test runner's, and its summary is the last thing on it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleElements, isBundled } from './bundle-ui.mjs';
import { ensureBrowser } from './ensure-browser.mjs';
import { ensureBuilt, ensurePackages, requireCargo, SetupError } from './ensure-built.mjs';
import { ensurePgbouncer } from './find-postgres.mjs';
import { node22 } from './node-22.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
const inCi = process.env.CI === 'true';
const generated = ['binding.d.ts'];
const stopped = new AbortController();
/** What the properties' cases are drawn from: the same ones each time, so that a commit which passed passes again. */
const USUAL_SEED = 20_261_122;

/** A step that found something wrong; its message and `output` are all that the developer gets to see. */
class StepFailure extends Error {
  /**
   * @param {string} message
   * @param {string} [output]
   */
  constructor(message, output = '') {
    super(message);
    this.output = output;
  }
}

/** A step that cannot be done on this machine: told, but no failure where people work. */
class StepSkipped extends Error {}

/**
 * @param {string} program
 * @param {readonly string[]} words
 * @param {{ live?: boolean }} [how] `live`: shows the output as it comes, not only when something is wrong
 * @returns {Promise<void>}
 */
function run(program, words, { live = false } = {}) {
  const shell = process.platform === 'win32' && program === 'npm';
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      cwd: repository,
      shell,
      signal: stopped.signal,
      stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    /** @type {Buffer[]} */
    const output = [];
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => reject(new StepFailure(`${program} could not be started: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) return resolve();
      const how = `“${[program, ...words.slice(0, 3)].join(' ')}${words.length > 3 ? ' …' : ''}” ended with`;
      reject(new StepFailure(`${how} ${signal ?? `exit code ${code}`}`, Buffer.concat(output).toString()));
    });
  });
}

/** @param {string} name in node_modules @param {string} script @param {string[]} words */
function runPackage(name, script, words) {
  return run(process.execPath, [join('node_modules', name, script), ...words]);
}

/** @returns {(string | undefined)[]} */
function readGenerated() {
  const paths = generated.map((name) => join(repository, name));
  return paths.map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined));
}

/**
 * Builds even where nothing seems to be out of date: each build writes the generated files anew, and so proves
 * that those in the repository are what this source generates.
 */
async function setUp() {
  const committed = readGenerated();
  requireCargo();
  await ensurePackages();
  await Promise.all([run('npm', ['run', 'build:quick']), setUpOthers()]);
  const built = readGenerated();
  const stale = generated.filter((_, index) => committed[index] !== built[index]);
  if (stale.length === 0) return;
  throw new StepFailure(`the build changed ${stale.join(' and ')}: generated files have to be committed as generated`);
}

/** What tests need beside the addon, most of which comes over the network: the compiler has both cores meanwhile. */
async function setUpOthers() {
  await bundleElements();
  for (const [what, ensure] of Object.entries({ Chromium: ensureBrowser, pgbouncer: ensurePgbouncer })) {
    const missing = ensure();
    if (missing !== undefined) throw new StepFailure(`${what}, which tests need, could not be installed`, missing);
  }
}

/**
 * @param {'clippy' | 'fmt'} command
 * @param {string} component
 * @param {string[]} words
 */
async function runComponent(command, component, words) {
  const { error, status } = spawnSync('cargo', [command, '--version'], { cwd: repository, stdio: 'ignore' });
  if (error !== undefined || status !== 0) {
    throw new StepSkipped(`cargo ${command} is not installed (rustup component add ${component})`);
  }
  await run('cargo', [command, ...words]);
}

/** The addon's profile, and its target, which napi always names: Cargo keeps what is built for a named target apart. @returns {string[]} */
function asAddon() {
  const { error, stdout } = spawnSync('rustc', ['--print', 'host-tuple'], { cwd: repository, encoding: 'utf8' });
  if (error !== undefined) throw new StepFailure(`rustc could not be started: ${error.message}`);
  return ['--profile', 'quick', '--target', stdout.trim()];
}

/** @param {readonly string[]} words @returns {string[]} */
function testFiles(words) {
  const names = readdirSync(join(repository, '__test__'), { recursive: true, encoding: 'utf8' });
  const chosen = names.filter(
    (name) => name.endsWith('.test.mjs') && (words.length === 0 || words.some((word) => name.includes(word))),
  );
  if (chosen.length === 0) throw new StepFailure(`no test file’s path holds ${words.join(' or ')}`);
  return chosen.sort().map((name) => join('__test__', name));
}

/** @param {readonly string[]} chosen */
async function runNodeTests(chosen) {
  // Once and now: two test files at once would both install it.
  node22();
  const words = ['--import=./__test__/support/property-seed.mjs', 'scripts/node-tests.mjs', ...testFiles(chosen)];
  await run(process.execPath, words, { live: true });
}

/**
 * In the order of how fast they fail. Of two steps that build, one waits for the other at Cargo's own lock.
 *
 * @type {Map<string, { what: string, does: (words: readonly string[]) => Promise<void> }>[]}
 */
const lanes = [
  new Map([
    ['fmt', { what: 'Rust formatting', does: () => runComponent('fmt', 'rustfmt', ['--all', '--check']) }],
    ['clippy', { what: 'Rust lints', does: clippy }],
    ['cargo', { what: 'Rust tests', does: cargoTest }],
  ]),
  new Map([
    ['build', { what: 'set-up, addon, generated files', does: setUp }],
    ['biome', { what: 'JavaScript formatting and lints', does: biome }],
    ['bench', { what: 'benches still run', does: () => run(process.execPath, ['scripts/bench.mjs', '--quick']) }],
    ['node', { what: 'Node.js tests and types', does: runNodeTests }],
  ]),
];
const stepNames = lanes.flatMap((lane) => [...lane.keys()]);

function biome() {
  return runPackage('@biomejs/biome', 'bin/biome', ['check', '.', '--error-on-warnings']);
}

/** No comment has code that could be tested, clippy has looked at the examples, and the binding's tests are JavaScript's: none is built here. */
function cargoTest() {
  return run('cargo', ['test', ...asAddon(), '--workspace', '--exclude', 'palimpsest', '--lib', '--tests', '--quiet']);
}

function clippy() {
  return runComponent('clippy', 'clippy', [...asAddon(), '--workspace', '--all-targets', '--', '-D', 'warnings']);
}

/** @param {string} line */
function announce(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * @param {string} name
 * @param {{ what: string, does: (words: readonly string[]) => Promise<void> }} step
 * @param {readonly string[]} words
 * @returns {Promise<boolean>} it may go on
 */
async function perform(name, { what, does }, words) {
  const started = performance.now();
  const took = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  // The runner's own summary ends with its time, and nothing is to come after it.
  const isLast = name === 'node';
  announce(isLast ? `▶ ${name}: ${what}` : `… ${name}: ${what}`);
  try {
    await does(words);
    if (!isLast) announce(`✔ ${name}: ${took()}`);
    return true;
  } catch (error) {
    if (stopped.signal.aborted) {
      announce(`⚠ stopped ${name}, after ${took()}`);
      return false;
    }
    if (error instanceof StepSkipped) {
      announce(`${inCi ? '✖' : '⚠ skipped'} ${name}: ${error.message}`);
      return !inCi;
    }
    if (!(error instanceof StepFailure || error instanceof SetupError)) throw error;
    if (error instanceof StepFailure) process.stderr.write(error.output);
    announce(`✖ ${name}: ${error.message} (after ${took()})`);
    return false;
  }
}

/**
 * @param {(typeof lanes)[0]} lane
 * @param {readonly string[]} only
 * @param {readonly string[]} words
 */
async function performAll(lane, only, words) {
  for (const [name, step] of lane) {
    if (stopped.signal.aborted) return false;
    if (only.includes(name) && !(await perform(name, step, words))) {
      stopped.abort();
      return false;
    }
  }
  return true;
}

/** @returns {{ only?: string[] | undefined, seed: number, words: string[] }} */
function readArguments() {
  const string = /** @type {const} */ ('string');
  const options = { only: { type: string, multiple: /** @type {const} */ (true) }, seed: { type: string } };
  const { positionals, values } = parseArgs({ options, allowPositionals: true });
  const seed = values.seed === 'random' ? randomInt(2 ** 31) : Number(values.seed ?? USUAL_SEED);
  return { only: values.only, seed, words: positionals };
}

/** @returns {Promise<number>} the exit code */
async function main() {
  const { only = stepNames, seed, words } = readArguments();
  if (!(Number.isSafeInteger(seed) && seed >= 0 && seed < 2 ** 31)) {
    announce('npm test: expected --seed with “random” or an integer from 0 to 2³¹ − 1');
    return 2;
  }
  // proptest reads this name; the JavaScript properties read the same.
  process.env.PROPTEST_RNG_SEED = String(seed);
  if (seed !== USUAL_SEED) announce(`properties drawn with --seed ${seed}`);
  const unknown = only.filter((name) => !stepNames.includes(name));
  if (unknown.length > 0) {
    announce(`npm test: expected --only with one of ${stepNames.join(', ')}; got ${unknown.join(', ')}`);
    return 2;
  }
  // A single step must not look at an addon, or a bundle of the elements, that is older than the source.
  if (!only.includes('build')) {
    await ensureBuilt({ dev: true });
    if (!isBundled()) await bundleElements();
  }
  const outcomes = await Promise.all(lanes.map((lane) => performAll(lane, only, words)));
  return outcomes.every(Boolean) ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage = error instanceof Error && String(Reflect.get(error, 'code')).startsWith('ERR_PARSE_ARGS');
  if (!isUsage && !(error instanceof SetupError)) throw error;
  announce(`npm test: ${error.message}`);
  process.exitCode = isUsage ? 2 : 1;
}
