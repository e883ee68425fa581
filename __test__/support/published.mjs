// @ts-check
/** Publishes a release, which the release script creates from this machine's addon, to a local registry. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADDONS, addonFile } from '../../scripts/addons.mjs';
import { mainManifest, platformOf } from '../../scripts/platform-packages.mjs';
import { stageRelease } from '../../scripts/release.mjs';
import { repository, run } from './children.mjs';

const { currentPlatform } = createRequire(import.meta.url)('../../lib/native-addon.js');

/** @type {string} this machine's platform, as in package names */
export const platform = currentPlatform();
/** From this version on glibc contains the thread and loader functions, so everything linked with a newer glibc requires it. */
export const GLIBC_OF_LOCAL_BUILDS = '2.34';

/** @typedef {{ folder: string, registry: string, staged: { main: string, cli: string, platforms: string[] }, settings: NodeJS.ProcessEnv, close: () => void }} Published */

/** @param {string} name @returns {Buffer} a file with the header of an addon for that platform */
export function madeUpAddon(name) {
  const [system, processor] = name.split('-');
  const isArm = processor === 'arm64';
  const file = Buffer.alloc(256);
  if (system === 'linux') {
    file.write('\x7fELF', 'latin1');
    file.writeUInt16LE(isArm ? 0xb7 : 0x3e, 18);
    if (name.endsWith('-gnu')) file.write('GLIBC_2.17\0', 64, 'latin1');
  } else if (system === 'darwin') {
    file.writeUInt32LE(0xfeedfacf, 0);
    file.writeUInt32LE(isArm ? 0x0100000c : 0x01000007, 4);
  } else {
    file.write('MZ', 'latin1');
    file.writeUInt32LE(64, 0x3c);
    file.writeUInt16LE(isArm ? 0xaa64 : 0x8664, 68);
  }
  return file;
}

/**
 * Creates the addons of a release: this machine's own, other built ones, and for all other platforms a file with an
 * addon's header.
 * @param {string} folder
 * @param {readonly string[]} [built] paths of other platforms' addons
 */
export function makeAddons(folder, built = []) {
  mkdirSync(folder);
  for (const { platform: name } of mainManifest().napi.targets.map(platformOf)) {
    for (const addon of ADDONS) writeFileSync(join(folder, addonFile(name, addon.name)), madeUpAddon(name));
  }
  const own = ADDONS.map((addon) => join(repository, addonFile(platform, addon.name)));
  const missing = own.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`missing: ${missing.join()}; “npm run build” makes it`);
  for (const addon of [...own, ...built]) cpSync(addon, join(folder, basename(addon)));
  return folder;
}

/** @param {string} folder */
async function startRegistry(folder) {
  mkdirSync(folder);
  const script = fileURLToPath(new URL('../fixtures/registry.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the registry ended with ${code}`)));
  died.catch(() => undefined);
  const [line] = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), died]);
  return { registry: line.trim(), stop: () => child.kill() };
}

/** @param {string} folder @param {string} registry @returns {NodeJS.ProcessEnv} environment for package managers */
function managerSettings(folder, registry) {
  return {
    DENO_DIR: join(folder, 'deno-cache'),
    HOME: join(folder, 'home'),
    NPM_CONFIG_REGISTRY: registry,
    npm_config_audit: 'false',
    npm_config_cache: join(folder, 'cache'),
    npm_config_fund: 'false',
    npm_config_registry: registry,
    npm_config_update_notifier: 'false',
    YARN_CACHE_FOLDER: join(folder, 'yarn-cache'),
    YARN_ENABLE_GLOBAL_CACHE: '0',
    YARN_ENABLE_IMMUTABLE_INSTALLS: '0',
    YARN_ENABLE_TELEMETRY: '0',
    // By default Yarn waits for days before it accepts a newly published version.
    YARN_NPM_MINIMAL_AGE_GATE: '0',
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_PNP_ENABLE_ESM_LOADER: '1',
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
  };
}

/**
 * @param {readonly string[]} [built] addons of other platforms
 * @returns {Promise<Published>} must be closed by the caller
 */
export async function publish(built = []) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-published-')));
  const addons = makeAddons(join(folder, 'addons'), built);
  const staged = stageRelease({ addons, staging: join(folder, 'staging'), newestGlibc: GLIBC_OF_LOCAL_BUILDS });
  const { registry, stop } = await startRegistry(join(folder, 'registry'));
  const settings = managerSettings(folder, registry);
  mkdirSync(join(folder, 'home'));
  // npm needs a token to publish; this registry accepts any.
  writeFileSync(join(folder, 'home', '.npmrc'), `//${new URL(registry).host}/:_authToken=anybody\n`);
  const publishFolder = (/** @type {string} */ path) => run(path, 'npm', ['publish', '--ignore-scripts'], settings);
  const close = () => {
    stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(staged.platforms.map(publishFolder));
    await publishFolder(staged.main);
    await publishFolder(staged.cli);
  } catch (error) {
    close();
    throw error;
  }
  return { folder, registry, staged, settings, close };
}

/** An empty project outside of the repository, with the programs of `fixtures/consumer`. @param {Published} published @param {string} name */
export function makeProject({ folder }, name) {
  const project = join(folder, name);
  cpSync(join(repository, '__test__', 'fixtures', 'consumer'), project, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "name": "host", "private": true }\n');
  return project;
}
