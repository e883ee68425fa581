// @ts-check
/**
 * `npm test`: all checks to run before a commit. Rust steps and steps that need the addon run in parallel; the first
 * failure stops both.
 *
 *   npm test                                  all steps
 *   npm test -- --only node                   one step; repeat `--only` for several
 *   npm test -- --only node corpus threads    only test files whose paths contain one of these words
 *   npm test -- --seed random                 other cases for property tests: random ones, or those of a given seed
 *
 * Progress messages go to stderr. stdout belongs to the test runner, so that its summary is the last output.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ADDONS } from './addons.mjs';
import { bundleElements, isBundled } from './bundle-ui.mjs';
import { ensureBuilt, ensurePackages, requireCargo, SetupError } from './ensure-built.mjs';
import { ensureBrowser, ensurePgbouncer } from './find-program.mjs';
import { node22 } from './programs.mjs';
import { runProgram } from './run-program.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
const inCi = process.env.CI === 'true';
const generated = ADDONS.map(({ types }) => types);
const stopped = new AbortController();
/** Default seed of the property tests. It is fixed, so that a commit that passed passes again. */
const USUAL_SEED = 20_261_122;

/** A failed step. Its message and `output` are shown to the developer. */
class StepFailure extends Error {
  /** @param {string} message @param {string} [output] */
  constructor(message, output = '') {
    super(message);
    this.output = output;
  }
}

/** A step that can't run on this machine. It is reported, but is a failure only in CI. */
class StepSkipped extends Error {}

/**
 * @param {string} program @param {readonly string[]} args
 * @param {{ live?: boolean }} [options] `live`: streams the output instead of showing it only on failure
 * @returns {Promise<void>}
 */
function run(program, args, { live = false } = {}) {
  const shell = process.platform === 'win32' && program === 'npm';
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
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
      const how = `“${[program, ...args.slice(0, 3)].join(' ')}${args.length > 3 ? ' …' : ''}” ended with`;
      reject(new StepFailure(`${how} ${signal ?? `exit code ${code}`}`, Buffer.concat(output).toString()));
    });
  });
}

/** @param {string} name name in node_modules @param {string} script @param {string[]} args */
function runPackage(name, script, args) {
  return run(process.execPath, [join('node_modules', name, script), ...args]);
}

/** @returns {(string | undefined)[]} */
function readGenerated() {
  const paths = generated.map((name) => join(repository, name));
  return paths.map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined));
}

/** Builds even if everything is up to date: a build writes the generated files, which must match the committed ones. */
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

/** Installs what tests need besides the addon. Most of it is downloaded, while the compiler uses the cores. */
async function setUpOthers() {
  await bundleElements();
  for (const [what, ensure] of Object.entries({ Chromium: ensureBrowser, pgbouncer: ensurePgbouncer })) {
    const missing = ensure();
    if (missing !== undefined) throw new StepFailure(`${what}, which tests need, could not be installed`, missing);
  }
}

/** @param {'clippy' | 'fmt'} command @param {string} component @param {string[]} args */
async function runComponent(command, component, args) {
  const { error, status } = spawnSync('cargo', [command, '--version'], { cwd: repository, stdio: 'ignore' });
  if (error !== undefined || status !== 0) {
    throw new StepSkipped(`cargo ${command} is not installed (rustup component add ${component})`);
  }
  await run('cargo', [command, ...args]);
}

/** Options for the addon's profile and target. napi always passes a target, and Cargo keeps such builds in a separate folder. @returns {string[]} */
function asAddon() {
  const { error, stdout } = spawnSync('rustc', ['--print', 'host-tuple'], { cwd: repository, encoding: 'utf8' });
  if (error !== undefined) throw new StepFailure(`rustc could not be started: ${error.message}`);
  return ['--profile', 'quick', '--target', stdout.trim()];
}

/** @param {readonly string[]} filters @returns {string[]} */
function testFiles(filters) {
  const names = readdirSync(join(repository, '__test__'), { recursive: true, encoding: 'utf8' });
  const chosen = names.filter(
    (name) => name.endsWith('.test.mjs') && (filters.length === 0 || filters.some((filter) => name.includes(filter))),
  );
  if (chosen.length === 0) throw new StepFailure(`no test file’s path holds ${filters.join(' or ')}`);
  return chosen.sort().map((name) => join('__test__', name));
}

/** @param {readonly string[]} filters */
async function runNodeTests(filters) {
  // Install it once here; otherwise two test files could install it at the same time.
  node22();
  const args = ['--import=./__test__/support/property-seed.mjs', 'scripts/node-tests.mjs', ...testFiles(filters)];
  await run(process.execPath, args, { live: true });
}

/**
 * Two lists of steps that run in parallel, each sorted by how fast its steps fail. If two steps build, Cargo's own lock
 * makes one wait for the other. `filters`: parts of test files' paths.
 *
 * @type {Map<string, { what: string, does: (filters: readonly string[]) => Promise<void> }>[]}
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

/**
 * Without doc tests (no comment contains code), examples (clippy checks them) and the bindings (tested in JavaScript).
 */
function cargoTest() {
  const others = ADDONS.flatMap(({ name }) => ['--exclude', name]);
  return run('cargo', ['test', ...asAddon(), '--workspace', ...others, '--lib', '--tests', '--quiet']);
}

function clippy() {
  return runComponent('clippy', 'clippy', [...asAddon(), '--workspace', '--all-targets', '--', '-D', 'warnings']);
}

/** @param {string} line */
function announce(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * @param {string} name @param {{ what: string, does: (filters: readonly string[]) => Promise<void> }} step
 * @param {readonly string[]} filters @returns {Promise<boolean>} true if the next step may run
 */
async function perform(name, { what, does }, filters) {
  const started = performance.now();
  const took = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  // The runner's own summary ends with the duration; print nothing after it.
  const isLast = name === 'node';
  announce(isLast ? `▶ ${name}: ${what}` : `… ${name}: ${what}`);
  try {
    await does(filters);
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

/** @param {(typeof lanes)[0]} lane @param {readonly string[]} only @param {readonly string[]} filters */
async function performAll(lane, only, filters) {
  for (const [name, step] of lane) {
    if (stopped.signal.aborted) return false;
    if (only.includes(name) && !(await perform(name, step, filters))) {
      stopped.abort();
      return false;
    }
  }
  return true;
}

/** @returns {{ only?: string[] | undefined, seed: number, filters: string[] }} */
function readArguments() {
  const string = /** @type {const} */ ('string');
  const options = { only: { type: string, multiple: /** @type {const} */ (true) }, seed: { type: string } };
  const { positionals, values } = parseArgs({ options, allowPositionals: true });
  const seed = values.seed === 'random' ? randomInt(2 ** 31) : Number(values.seed ?? USUAL_SEED);
  return { only: values.only, seed, filters: positionals };
}

/** @returns {Promise<number>} exit code */
async function main() {
  const { only = stepNames, seed, filters } = readArguments();
  if (!(Number.isSafeInteger(seed) && seed >= 0 && seed < 2 ** 31)) {
    announce('npm test: expected --seed with “random” or an integer from 0 to 2³¹ − 1');
    return 2;
  }
  // proptest reads this variable; the JavaScript property tests read the same one.
  process.env.PROPTEST_RNG_SEED = String(seed);
  if (seed !== USUAL_SEED) announce(`properties drawn with --seed ${seed}`);
  const unknown = only.filter((name) => !stepNames.includes(name));
  if (unknown.length > 0) {
    announce(`npm test: expected --only with one of ${stepNames.join(', ')}; got ${unknown.join(', ')}`);
    return 2;
  }
  if (filters.length > 0 && !only.includes('node')) {
    announce(`npm test: expected words only with --only node, whose test files they choose; got ${filters.join(' ')}`);
    return 2;
  }
  // A single step must not use an addon or a bundle that is older than the source.
  if (!only.includes('build')) {
    await ensureBuilt({ dev: true });
    if (!isBundled()) await bundleElements();
  }
  const outcomes = await Promise.all(lanes.map((lane) => performAll(lane, only, filters)));
  return outcomes.every(Boolean) ? 0 : 1;
}

await runProgram('npm test', main);
