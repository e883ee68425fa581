// @ts-check
/**
 * Adds missing platform packages to package-lock.json and the site's lockfile. npm leaves out packages that the current
 * registry lacks, and `npm ci` then fails on their platforms. Also asks the registry for missing digests, because npm
 * doesn't verify a package without one. Run by `npm run lock`.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * @typedef {{ version?: string, cpu?: string[], dev?: boolean, integrity?: string, libc?: string[], link?: boolean,
 *   name?: string, optional?: boolean, optionalDependencies?: Record<string, string>, os?: string[] }} LockedPackage
 *   `name`: if it differs from its path
 *
 * @typedef {{ packages: Record<string, LockedPackage> }} Lockfile
 */

const LOCKFILES = ['package-lock.json', 'site/package-lock.json'];
/** Matches the platform at the end of a package's name. */
const PLATFORM =
  /[-/](?<os>aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32|windows)-(?<cpu>[a-z0-9]+)(?:-(?<abi>[a-z]+))?$/;
/** Names of processors and systems that differ from Node.js's. */
const NODE_NAMES = new Map([
  ['aarch64', 'arm64'],
  ['windows', 'win32'],
]);
/** Requests to the registry at the same time. */
const PARALLEL_REQUESTS = 6;
/** npm's names of C libraries, by the abi in a package's name. */
const LIBC = new Map([
  ['gnu', 'glibc'],
  ['musl', 'musl'],
]);

/**
 * @param {Lockfile} lock
 * @returns {{ path: string, name: string, range: string, dev: boolean }[]} optional dependencies without an entry
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
 * @returns {Pick<LockedPackage, 'cpu' | 'libc' | 'os'>} the platforms npm may install it on, derived from its name
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

/** Adds the missing packages. @param {Lockfile} lock @returns {Lockfile} */
export function complete(lock) {
  const added = missingPackages(lock).map(({ path, name, range, dev }) => {
    // Platform packages are requested by exact version; for a range, the lowest version is good enough.
    const version = range.replace(/^[\^~]/, '');
    const fields = { ...(dev && { dev }), optional: true, ...platformOf(name) };
    // npm's own order: the version, then by name. Otherwise npm's next run would reorder the lines.
    const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
    return /** @type {const} */ ([path, { version, ...Object.fromEntries(sorted) }]);
  });
  const packages = [...Object.entries(lock.packages), ...added].sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...lock, packages: Object.fromEntries(packages) };
}

/** @param {Lockfile} lock @returns {{ path: string, spec: string }[]} packages without a digest */
export function withoutIntegrity({ packages }) {
  const installed = Object.entries(packages).filter(([path, { link }]) => path !== '' && link !== true);
  return installed
    .filter(([, { integrity }]) => integrity === undefined)
    .map(([path, { name, version }]) => {
      return { path, spec: `${name ?? path.replace(/^.*node_modules\//, '')}@${version}` };
    });
}

/**
 * @param {Lockfile} lock @param {(spec: string) => Promise<string | undefined>} ask returns a package's digest
 * @returns {Promise<Lockfile>} the lockfile with all digests that were found
 */
export async function withDigests(lock, ask) {
  const packages = { ...lock.packages };
  const waiting = withoutIntegrity(lock);
  const askForRest = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const integrity = await ask(next.spec);
      const { version, ...fields } = packages[next.path] ?? {};
      // As in `complete`, npm's own order.
      if (integrity !== undefined) packages[next.path] = { version, integrity, ...fields };
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, askForRest));
  return { ...lock, packages };
}

/**
 * A package's digest.
 * @param {string} spec @returns {Promise<string | undefined>} undefined if the current registry lacks it
 */
async function askRegistry(spec) {
  const args = ['view', spec, 'dist.integrity', '--json'];
  try {
    const { stdout } = await promisify(execFile)('npm', args, { shell: process.platform === 'win32' });
    return stdout === '' ? undefined : JSON.parse(stdout);
  } catch (error) {
    if (/E404|ETARGET/.test(/** @type {{ stderr?: string }} */ (error).stderr ?? '')) return undefined;
    throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of LOCKFILES) await completeFile(name);
}

/** @param {string} name of a lockfile */
async function completeFile(name) {
  const file = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const added = missingPackages(lock).length;
  const completed = await withDigests(complete(lock), askRegistry);
  writeFileSync(file, `${JSON.stringify(completed, null, 2)}\n`);
  const lacking = withoutIntegrity(completed).map(({ spec }) => spec);
  const unknown =
    lacking.length > 0
      ? `; the registry at hand lacks ${lacking.length}, which stay without: ${lacking.join(', ')}`
      : '';
  process.stdout.write(`${name}: ${added} platform packages added${unknown}\n`);
}
