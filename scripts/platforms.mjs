// @ts-check
/**
 * `npm run platforms`: installs the package as released from a registry on loopback, and runs it with every runtime and
 * on every other platform that this machine can build for and emulate. Prints a table; for each skipped platform it
 * names what is missing.
 *
 *   npm run platforms                    everything
 *   npm run platforms -- runtimes        Node.js, Bun and Deno on this platform
 *   npm run platforms -- here            the current Node.js on the current machine, for CI
 *   npm run platforms -- musl win32      only platforms whose names contain one of the words
 *   npm run platforms -- --install       first downloads what is missing from npm, PyPI and Debian into `target/`
 *   npm run platforms -- --strict        treats skipped platforms as failures
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { publish } from '../__test__/support/published.mjs';
import { bundleElements, isBundled } from './bundle-ui.mjs';
import { ensureBuilt, SetupError } from './ensure-built.mjs';
import { buildAddons } from './platforms/build.mjs';
import { buildCoreTests, runCoreTests } from './platforms/core-tests.mjs';
import { installRuntimes, installTarget } from './platforms/install.mjs';
import { makeProject, runSmoke } from './platforms/project.mjs';
import { here, runtimes } from './platforms/runtimes.mjs';
import { faultsOf, tableOf } from './platforms/table.mjs';
import { collectNeeds, compiler, TARGETS } from './platforms/targets.mjs';
import { runProgram, sentenceOf } from './run-program.mjs';

/** @typedef {import('./platforms/table.mjs').Row} Row */
/** @typedef {import('../__test__/support/published.mjs').Published} Published */
/** @typedef {import('./platforms/targets.mjs').Start} Start */
/** @typedef {import('./platforms/core-tests.mjs').TestProgram} TestProgram */
/**
 * @typedef {{ target: import('./platforms/targets.mjs').Target, start: Start, addons: string[], tests: TestProgram[] }} BuiltTarget
 */

/** The library, and the command with the HTTP client. */
const PACKAGES = ['palimpsest', 'palimpsest-cli'];

/** @param {string} line */
const announce = (line) => process.stderr.write(`${line}\n`);

/** @param {Published} published @param {ReturnType<typeof runtimes>[number]} runtime @returns {Promise<Row>} */
async function tryRuntime(published, { name, program, args, install, how = '--install' }) {
  if (program === undefined) return { name, skipped: 'its package is pinned for no machine like this one' };
  if (!existsSync(program.path)) return { name, skipped: `${program.spec} is missing (${how})` };
  announce(`… ${name}`);
  const folder = name.replaceAll(/\W/g, '-');
  try {
    const command = install === undefined ? ['npm', 'install', ...PACKAGES] : [program.path, ...install];
    const project = await makeProject(published, folder, command);
    const by = install === undefined ? 'npm' : 'its own installer';
    return { name, by, ...(await runSmoke(project, [program.path, ...args])) };
  } catch (error) {
    return { name, failed: sentenceOf(error) };
  }
}

/** @param {Published} published @param {BuiltTarget} ready @returns {Promise<Row>} */
async function tryTarget(published, { target, start, tests }) {
  const { platform, npmPlatform, emulator, note } = target;
  const name = note === undefined ? platform : `${platform} (${note})`;
  announce(`… ${platform}`);
  try {
    const args = Object.entries(npmPlatform).map(([option, value]) => `--${option}=${value}`);
    const project = await makeProject(published, platform, ['npm', 'install', ...args, ...PACKAGES]);
    const node = [start.program, ...start.args, start.node];
    // wine sets itself up on its first start, and prints messages.
    await runSmoke(project, [...node, '--version'], start.env);
    const ran = await runSmoke(project, node, start.env);
    announce(`… ${platform}: the core’s tests`);
    return { name, by: emulator, ...ran, tests: await runCoreTests(tests, start) };
  } catch (error) {
    return { name, failed: sentenceOf(error) };
  }
}

/**
 * @param {readonly (typeof TARGETS)[number][]} targets
 * @param {Row[]} rows gets a row for each target that can't be built
 */
async function buildTargets(targets, rows) {
  /** @type {BuiltTarget[]} */
  const builtTargets = [];
  for (const target of targets) {
    const needs = collectNeeds();
    const start = target.start(needs);
    const found = compiler(needs, target);
    if (needs.missing.length > 0) {
      rows.push({ name: target.platform, skipped: `missing: ${needs.missing.join('; ')}` });
      continue;
    }
    announce(`… building for ${target.rustTarget}`);
    try {
      const addons = await buildAddons(target, found);
      builtTargets.push({ target, start, addons, tests: await buildCoreTests(target, found) });
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      rows.push({ name: target.platform, failed: error.message });
    }
  }
  return builtTargets;
}

/** @returns {Promise<number>} exit code */
async function main() {
  const flag = { type: /** @type {const} */ ('boolean'), default: false };
  const options = { install: flag, strict: flag };
  const { positionals: filters, values } = parseArgs({ options, allowPositionals: true });
  const isChosen = (/** @type {string} */ name) =>
    filters.length === 0 || filters.some((filter) => name.includes(filter));
  const targets = TARGETS.filter(({ platform }) => isChosen(platform));
  const chosenRuntimes = [...(isChosen('runtimes') ? runtimes() : []), ...(filters.includes('here') ? [here()] : [])];
  if (targets.length + chosenRuntimes.length === 0)
    throw new SetupError(`nothing here is called ${filters.join(' or ')}`);
  if (values.install) {
    installRuntimes(chosenRuntimes, announce);
    for (const target of targets) installTarget(target, announce);
  }
  await ensureBuilt({ dev: true });
  if (!isBundled()) await bundleElements();
  /** @type {Row[]} */
  const rows = [];
  const builtTargets = await buildTargets(targets, rows);
  const published = await publish(builtTargets.flatMap(({ addons }) => addons));
  try {
    for (const runtime of chosenRuntimes) rows.push(await tryRuntime(published, runtime));
    for (const builtTarget of builtTargets) rows.push(await tryTarget(published, builtTarget));
  } finally {
    published.close();
  }
  process.stdout.write(`${tableOf(rows)}\n`);
  const faults = rows.flatMap(faultsOf);
  for (const fault of faults) announce(`✖ ${fault}`);
  const isIncomplete = values.strict && rows.some(({ skipped }) => skipped !== undefined);
  return faults.length > 0 || isIncomplete ? 1 : 0;
}

await runProgram('npm run platforms', main);
