// @ts-check
/**
 * Adds to package-lock.json the platform packages that npm left out because the registry at hand lacks them: a
 * lockfile without them makes `npm ci` fail on the platforms that they are for. `npm run lock` runs this.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {string[]} [cpu]
 * @property {boolean} [dev]
 * @property {string[]} [libc]
 * @property {boolean} [optional]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {string[]} [os]
 *
 * @typedef {{ packages: Record<string, LockedPackage> }} Lockfile
 */

const lockfile = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const PLATFORM =
  /[-/](?<os>aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32|windows)-(?<cpu>[a-z0-9]+)(?:-(?<abi>[a-z]+))?$/;
/** Names of processors and systems that aren't Node.js's own. */
const NODE_NAMES = new Map([
  ['aarch64', 'arm64'],
  ['windows', 'win32'],
]);
const LIBC = new Map([
  ['gnu', 'glibc'],
  ['musl', 'musl'],
]);

/**
 * @param {Lockfile} lock
 * @returns {{ path: string, name: string, range: string, dev: boolean }[]} optional packages that it names but lacks
 */
export function missingPackages({ packages }) {
  return Object.entries(packages).flatMap(([parent, { dev = false, optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !(`${parent}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages))
      .map(([name, range]) => ({ path: `node_modules/${name}`, name, range, dev })),
  );
}

/**
 * @param {string} name
 * @returns {Pick<LockedPackage, 'cpu' | 'libc' | 'os'>} where npm may install it, as far as its name says
 */
function platformOf(name) {
  if (/[-/]wasm32(-|$)/.test(name)) return { cpu: ['wasm32'] };
  const { os, cpu, abi } = PLATFORM.exec(name)?.groups ?? {};
  if (os === undefined || cpu === undefined) throw new Error(`expected a platform in the name of ${name}`);
  const libc = os === 'linux' ? LIBC.get(abi ?? '') : undefined;
  const nodeName = (/** @type {string} */ name) => NODE_NAMES.get(name) ?? name;
  const system = abi === 'android' ? abi : nodeName(os);
  return { cpu: [nodeName(cpu)], os: [system], ...(libc !== undefined && { libc: [libc] }) };
}

/**
 * @param {Lockfile} lock
 * @returns {Lockfile}
 */
export function complete(lock) {
  const added = missingPackages(lock).map(({ path, name, range, dev }) => {
    // Platform packages are asked for by their exact version; a range's lowest will do where one isn't.
    const version = range.replace(/^[\^~]/, '');
    const fields = { ...(dev && { dev }), optional: true, ...platformOf(name) };
    // npm's own order: the version, then by name. Else its next run would move lines about.
    const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
    return /** @type {const} */ ([path, { version, ...Object.fromEntries(sorted) }]);
  });
  const packages = [...Object.entries(lock.packages), ...added].sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...lock, packages: Object.fromEntries(packages) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = JSON.parse(readFileSync(lockfile, 'utf8'));
  const missing = missingPackages(lock);
  if (missing.length > 0) writeFileSync(lockfile, `${JSON.stringify(complete(lock), null, 2)}\n`);
  process.stdout.write(`package-lock.json: ${missing.length} platform packages added\n`);
}
