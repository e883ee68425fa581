// @ts-check
/**
 * Assembles a release in its own folder: the platform packages with their addons, the main package and the command's,
 * which depend on the exact versions of theirs, and the agents' plug-ins, which depend on the main package.
 *
 *   node scripts/release.mjs --addons artifacts --staging staging [--tag v0.2.0]
 *
 * The checkout doesn't change: with `optionalDependencies` on unpublished packages `npm ci` would fail for every
 * developer. The script is also the release gate. It fails, with a list of all faults, unless every platform has its
 * addon, all versions agree, and the licences of all linked crates are present (checked with cargo). Publish
 * `staging/platforms/*` first, then `staging/palimpsest`, `staging/palimpsest-cli`, and `staging/plugins/*` last.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ADDONS, addonFile, builtFor, glibcVersions } from './addons.mjs';
import { bundleLibrary } from './bundle-library.mjs';
import { withoutIntegrity } from './complete-lock.mjs';
import { mainManifest, platformFiles, platformFolder, platformOf, repository } from './platform-packages.mjs';
import { writeBoms } from './sbom.mjs';
import { FILE as LICENCES_OF_OTHERS, licenceFaults } from './third-party-licenses.mjs';

/** Required by Node.js 20's own binaries. The workflow's builds target 2.17. */
const NEWEST_GLIBC = '2.28';
/**
 * Fields that users of the package don't need. `private` protects the checkout, which lacks the addons, from
 * publication.
 */
const DEVELOPMENT = ['devDependencies', 'napi', 'overrides', 'private', 'scripts'];
const LICENCES = ['LICENSE', 'NOTICE.md', LICENCES_OF_OTHERS];

/** @param {string} path */
const read = (path) => readFileSync(join(repository, path), 'utf8');

/** @returns {string[]} versions that differ from the main package's */
function versionFaults(/** @type {string} */ version, /** @type {string | undefined} */ tag) {
  const versions = {
    'Cargo.toml': /^version = "(.*)"$/m.exec(read('Cargo.toml'))?.[1],
    'lib/version.js': createRequire(import.meta.url)('../lib/version.js').version,
    ...(tag !== undefined && { [`the tag ${tag}`]: tag.replace(/^v/, '') }),
  };
  return differing(version, versions);
}

/** @param {string} version expected @param {Record<string, string | undefined>} versions by where they were found */
function differing(version, versions) {
  const others = Object.entries(versions).filter(([, found]) => found !== version);
  return others.map(([place, found]) => `package.json has version ${version}, ${place} has ${found}`);
}

/** Folders of the plug-ins for coding agents. */
export const PLUGINS = readdirSync(join(repository, 'plugins')).sort();

/** @param {string} folder @returns {{ name: string, version: string, files: string[], dependencies: Record<string, string> }} */
const manifestIn = (folder) => JSON.parse(read(join(folder, 'package.json')));

/** @param {string} version @returns {string[]} places of the command that have another version */
function cliFaults(version) {
  const { name, version: own, dependencies } = manifestIn('cli');
  const { peerDependencies } = /** @type {{ peerDependencies?: Record<string, string> }} */ (mainManifest());
  const versions = {
    'cli/package.json': own,
    [`${name}’s dependency on palimpsest`]: dependencies.palimpsest,
    [`package.json’s peer ${name}`]: peerDependencies?.[name],
  };
  return differing(version, versions);
}

/** @param {string} version @returns {string[]} plug-ins whose version differs from the main package's */
function pluginFaults(version) {
  return PLUGINS.flatMap((folder) => {
    const { name, version: own, dependencies } = manifestIn(join('plugins', folder));
    const wanted = dependencies.palimpsest;
    const faults = own === version ? [] : [`${name} has version ${own}, package.json has ${version}`];
    return wanted === `^${version}` ? faults : [...faults, `${name} depends on palimpsest ${wanted}, not ^${version}`];
  });
}

/** @returns {string[]} committed platform packages that don't match package.json */
function staleFaults() {
  const stale = [...platformFiles()].filter(
    ([path, content]) => !existsSync(join(repository, 'npm', path)) || read(join('npm', path)) !== content,
  );
  return stale.map(([path]) => `npm/${path} is out of date: npm run platform-packages`);
}

/** @param {import('./complete-lock.mjs').Lockfile} lock @returns {string[]} */
export function lockFaults(lock) {
  const specs = withoutIntegrity(lock).map(({ spec }) => spec);
  if (specs.length === 0) return [];
  return [`package-lock.json has no integrity for ${specs.join(', ')}: npm run lock, where the registry has them`];
}

/** @returns {string[]} missing files that only `npm pack` builds */
function bundleFaults() {
  const bundles = ['ui/dist/elements.js', 'ui/dist/page.js'].filter((path) => !existsSync(join(repository, path)));
  return bundles.map((path) => `${path} is missing: npm run build:ui`);
}

/** @typedef {{ platform: string, addon: import('./addons.mjs').AddonName }} PlatformAddon */

/** @param {string} folder @param {PlatformAddon} built @param {string} newestGlibc @returns {string[]} */
function addonFaults(folder, { platform, addon: name }, newestGlibc) {
  const file = join(folder, addonFile(platform, name));
  if (!existsSync(file)) return [`${platform}: ${file} is missing`];
  const addon = readFileSync(file);
  const actual = builtFor(addon);
  if (actual !== platform) return [`${platform}: ${file} is built for ${actual}`];
  const newest = glibcVersions(addon).at(-1) ?? '0';
  const isTooNew = newest.localeCompare(newestGlibc, 'en', { numeric: true }) > 0;
  return isTooNew ? [`${platform}: ${file} asks for glibc ${newest}, and ${newestGlibc} is the newest allowed`] : [];
}

/**
 * @param {{ addons: string, newestGlibc: string, tag?: string | undefined, known: string[] }} release
 * @param {PlatformAddon[]} all
 */
function checkGate({ addons, newestGlibc, tag, known }, all) {
  const { version } = mainManifest();
  const faults = [
    ...versionFaults(version, tag),
    ...cliFaults(version),
    ...pluginFaults(version),
    ...staleFaults(),
    ...bundleFaults(),
    ...known,
    ...all.flatMap((built) => addonFaults(addons, built, newestGlibc)),
  ];
  if (faults.length > 0) throw new Error(`not ready for release:\n  ${faults.join('\n  ')}`);
}

/** @param {string} addons @param {PlatformAddon} built @param {string} folder */
function stagePlatform(addons, { platform, addon }, folder) {
  cpSync(join(repository, 'npm', platformFolder(platform, addon)), folder, { recursive: true });
  const file = addonFile(platform, addon);
  cpSync(join(addons, file), join(folder, file));
  for (const name of LICENCES) cpSync(join(repository, name), join(folder, name));
}

/** The addon and the third-party licences: a checkout packs its own, but a release has platform packages for them. @param {string} path */
const isAddon = (path) => path.endsWith('.node') || path === LICENCES_OF_OTHERS;

/** `library/` is built during staging, because the checkout's may be outdated. @param {string} path */
const isOfBundle = (path) => path.startsWith('library/');

/** @returns {string[]} paths that npm would pack, without the addon and `library/` */
function packedPaths() {
  const shell = process.platform === 'win32';
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: repository, encoding: 'utf8', shell });
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  const paths = JSON.parse(stdout)[0].files.map((/** @type {{ path: string }} */ { path }) => path);
  return paths.filter((/** @type {string} */ path) => !isAddon(path) && !isOfBundle(path));
}

/** @param {string[]} platforms @param {string} folder */
function stageMain(platforms, folder) {
  for (const path of packedPaths()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(repository, path), join(folder, path));
  }
  bundleLibrary(join(folder, 'library'));
  const manifest = mainManifest();
  const published = Object.entries(manifest).filter(([field]) => !DEVELOPMENT.includes(field));
  const files = manifest.files.filter((path) => !isAddon(path));
  const optionalDependencies = platformDependencies(manifest, platforms);
  const json = JSON.stringify({ ...Object.fromEntries(published), files, optionalDependencies }, null, 2);
  writeFileSync(join(folder, 'package.json'), `${json}\n`);
}

/** @param {{ name: string, version: string }} manifest @param {string[]} platforms @returns {Record<string, string>} exact versions by package */
function platformDependencies({ name, version }, platforms) {
  return Object.fromEntries(platforms.map((platform) => [`${name}-${platform}`, version]).sort());
}

/** The command: `bin/`, and the page's bundle. @param {string[]} platforms @param {string} folder */
function stageCli(platforms, folder) {
  const manifest = manifestIn('cli');
  mkdirSync(folder, { recursive: true });
  for (const path of manifest.files) cpSync(join(repository, path), join(folder, path), { recursive: true });
  cpSync(join(repository, 'cli', 'README.md'), join(folder, 'README.md'));
  for (const name of ['LICENSE', 'NOTICE.md']) cpSync(join(repository, name), join(folder, name));
  writeManifest(folder, { ...manifest, optionalDependencies: platformDependencies(manifest, platforms) }, 'cli');
}

/** @param {string} name @param {string} folder */
function stagePlugin(name, folder) {
  const from = join('plugins', name);
  const manifest = manifestIn(from);
  mkdirSync(folder, { recursive: true });
  for (const file of ['README.md', ...manifest.files]) cpSync(join(repository, from, file), join(folder, file));
  cpSync(join(repository, 'LICENSE'), join(folder, 'LICENSE'));
  writeManifest(folder, manifest, `plugins/${name}`);
}

/** @param {string} folder @param {object} manifest @param {string} directory in the repository, which npm provenance requires of each package */
function writeManifest(folder, manifest, directory) {
  const complete = { ...manifest, repository: { ...mainManifest().repository, directory } };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(complete, null, 2)}\n`);
}

/**
 * Checks everything, then writes the packages.
 * @param {object} release
 * @param {string} release.addons folder with the .node files of all platforms
 * @param {string} release.staging folder to create
 * @param {string} [release.newestGlibc] newest glibc version that an addon may require
 * @param {string} [release.tag] the git tag of the release
 * @param {string[]} [release.known] faults found so far
 * @returns {{ main: string, cli: string, platforms: string[], plugins: string[] }} the folders to publish
 * @throws {Error} lists everything that is missing or doesn't match
 */
export function stageRelease({ addons, staging, newestGlibc = NEWEST_GLIBC, tag, known = [] }) {
  const platforms = mainManifest().napi.targets.map((target) => platformOf(target).platform);
  const all = ADDONS.flatMap(({ name: addon }) => platforms.map((platform) => ({ platform, addon })));
  checkGate({ addons, newestGlibc, tag, known }, all);
  if (existsSync(staging)) throw new Error(`expected a staging folder that doesn't exist yet, got ${staging}`);
  const folders = all.map((built) => {
    const folder = join(staging, 'platforms', platformFolder(built.platform, built.addon));
    stagePlatform(addons, built, folder);
    return folder;
  });
  const main = join(staging, 'palimpsest');
  stageMain(platforms, main);
  const cli = join(staging, 'palimpsest-cli');
  stageCli(platforms, cli);
  const plugins = PLUGINS.map((name) => {
    const folder = join(staging, 'plugins', name);
    stagePlugin(name, folder);
    return folder;
  });
  return { main, cli, platforms: folders, plugins };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { addons: { type: 'string' }, staging: { type: 'string' }, tag: { type: 'string' } },
  });
  const { addons, staging, tag } = values;
  try {
    if (addons === undefined || staging === undefined) throw new Error('expected --addons and --staging');
    const staged = stageRelease({
      addons: resolve(addons),
      staging: resolve(staging),
      known: [...licenceFaults(), ...lockFaults(JSON.parse(read('package-lock.json')))],
      ...(tag !== undefined && { tag }),
    });
    // The bills of materials go next to the packages.
    writeBoms(join(resolve(staging), 'sbom'));
    process.stdout.write(`${[...staged.platforms, staged.main, staged.cli, ...staged.plugins].join('\n')}\n`);
  } catch (error) {
    process.stderr.write(`release: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
