// @ts-check
/**
 * Builds the addons; further arguments are those of `napi build`.
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

/** @param {Addon} addon @param {readonly string[]} args @returns {number} exit code */
function build({ types, options }, args) {
  const napi = join(repository, 'node_modules', '@napi-rs', 'cli', 'dist', 'cli.js');
  const napiArgs = [napi, 'build', '--platform', '--no-js', '--dts', types, '--output-dir', '.', ...options, ...args];
  const { status, error } = spawnSync(process.execPath, napiArgs, { cwd: repository, stdio: 'inherit' });
  if (error !== undefined) throw error;
  return status ?? 1;
}

/** @param {readonly string[]} args @returns {number} exit code */
function main(args) {
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

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
