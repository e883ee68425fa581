// @ts-check
/**
 * The two addons: what they are built from, their build, and what the header of a built one says. As a program it builds
 * them; further arguments are those of `napi build`.
 *
 *   node scripts/addons.mjs --profile quick               both: the library's, and the command's
 *   node scripts/addons.mjs --release --only palimpsest   the library's alone
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));

/**
 * @typedef {'palimpsest' | 'palimpsest-cli'} AddonName
 * @typedef {object} Addon
 * @property {AddonName} name beginning of its file and of its packages; also the name of its crate
 * @property {string} types generated declarations
 * @property {string[]} options of `napi build`
 * @property {string[]} sources paths that it is built from
 */

const COMMON = ['Cargo.toml', 'Cargo.lock', 'crates/archive', 'crates/binding', 'crates/core'];

/** @type {readonly Addon[]} */
export const ADDONS = [
  { name: 'palimpsest', types: 'binding.d.ts', options: [], sources: [...COMMON, 'build.rs', 'src'] },
  {
    name: 'palimpsest-cli',
    types: 'binding-cli.d.ts',
    options: `--manifest-path crates/cli/Cargo.toml --config-path crates/cli/napi.json -p palimpsest-cli`.split(' '),
    sources: [...COMMON, 'crates/cli', 'crates/llm-http', 'crates/sessions'],
  },
];

/** @param {string} platform @param {AddonName} [addon] @returns {string} file name */
export function addonFile(platform, addon = 'palimpsest') {
  return `${addon}.${platform}.node`;
}

/** @param {Addon} addon @returns {string[]} its files for this platform, absolute */
export function builtFiles({ name }) {
  const prefix = `${name}.${process.platform}-${process.arch}`;
  const files = readdirSync(repository).filter((file) => file.startsWith(prefix) && file.endsWith('.node'));
  return files.map((file) => join(repository, file));
}

const ELF_MACHINES = new Map([
  [0x3e, 'x64'],
  [0xb7, 'arm64'],
]);
const MACH_O_MACHINES = new Map([
  [0x01000007, 'x64'],
  [0x0100000c, 'arm64'],
]);
const PE_MACHINES = new Map([
  [0x8664, 'x64'],
  [0xaa64, 'arm64'],
]);
const MACH_O_64 = 0xfeedfacf;
/** Offset of the field that holds the offset of the PE header. */
const PE_OFFSET = 0x3c;

/** @param {Buffer} addon @returns {string[]} such as `2.17`, ascending; empty if it isn't linked with glibc */
export function glibcVersions(addon) {
  const found = [...addon.toString('latin1').matchAll(/GLIBC_(\d+\.\d+(?:\.\d+)?)\0/g)].map(
    ([, version = '']) => version,
  );
  return [...new Set(found)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** @param {Buffer} addon @param {ReadonlyMap<number, string>} machines @param {number} machine */
function processor(addon, machines, machine) {
  return machines.get(machine) ?? `unknown (${machine.toString(16)}, ${addon.length} bytes)`;
}

/**
 * @param {Buffer} addon
 * @returns {string} its platform, as in package names (`linux-x64-gnu`), or what the file is instead
 */
export function builtFor(addon) {
  if (addon.length < 64) return `no addon: ${addon.length} bytes`;
  if (addon.toString('latin1', 0, 4) === '\x7fELF') {
    const libc = glibcVersions(addon).length > 0 ? 'gnu' : 'musl';
    return `linux-${processor(addon, ELF_MACHINES, addon.readUInt16LE(18))}-${libc}`;
  }
  if (addon.readUInt32LE(0) === MACH_O_64) return `darwin-${processor(addon, MACH_O_MACHINES, addon.readUInt32LE(4))}`;
  if (addon.toString('latin1', 0, 2) === 'MZ') {
    const machine = addon.readUInt16LE(Math.min(addon.readUInt32LE(PE_OFFSET) + 4, addon.length - 2));
    return `win32-${processor(addon, PE_MACHINES, machine)}-msvc`;
  }
  return 'no addon: neither ELF nor Mach-O nor PE';
}

/** @param {Addon} addon @param {readonly string[]} args @returns {number} exit code */
function build({ types, options }, args) {
  const napi = join(repository, 'node_modules', '@napi-rs', 'cli', 'dist', 'cli.js');
  const napiArgs = [napi, 'build', '--platform', '--no-js', '--dts', types, '--output-dir', '.', ...options, ...args];
  const { status, error } = spawnSync(process.execPath, napiArgs, { cwd: repository, stdio: 'inherit' });
  if (error !== undefined) throw error;
  return status ?? 1;
}

/** @param {readonly string[]} args @returns {Promise<number>} exit code */
async function main(args) {
  // Imports this module, too.
  const { ensurePackages } = await import('./ensure-built.mjs');
  await ensurePackages();
  const only = args.indexOf('--only');
  const chosen = only < 0 ? ADDONS : ADDONS.filter(({ name }) => name === args[only + 1]);
  const napiArgs = only < 0 ? args : args.toSpliced(only, 2);
  if (chosen.length === 0) throw new Error(`expected --only with one of ${ADDONS.map(({ name }) => name).join(', ')}`);
  for (const addon of chosen) {
    const status = build(addon, napiArgs);
    if (status !== 0) return status;
  }
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Not awaited: `main` imports a module that imports this one.
  main(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
}
