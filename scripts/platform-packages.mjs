// @ts-check
/**
 * Writes `npm/`: one package for each platform in package.json's `napi.targets`, without the addon, which the release
 * adds. Run `npm run platform-packages` after a change of targets, version or metadata; a test compares the result.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADDONS, addonFile } from './addons.mjs';

export const repository = fileURLToPath(new URL('..', import.meta.url));

/** By the end of a Rust target triple. */
const SYSTEMS = new Map([
  ['apple-darwin', { os: 'darwin' }],
  ['pc-windows-msvc', { os: 'win32', abi: 'msvc' }],
  ['unknown-linux-gnu', { os: 'linux', abi: 'gnu', libc: 'glibc' }],
  ['unknown-linux-musl', { os: 'linux', abi: 'musl', libc: 'musl' }],
]);
/** Node.js's names, by Rust's. */
const PROCESSORS = new Map([
  ['aarch64', 'arm64'],
  ['x86_64', 'x64'],
]);

/**
 * @typedef {{ os: string, cpu: string, libc?: string }} Where npm's names
 * @typedef {{ platform: string, target: string, where: Where }} Platform `platform`: as in package names, such as
 *   `linux-x64-gnu`; `target`: Rust's target triple
 * @typedef {import('./addons.mjs').AddonName} AddonName
 * @typedef {{ name: string, version: string, files: string[], license: string, engines: object, repository: object, napi: { targets: string[] } }} MainManifest
 */

/** @returns {MainManifest & Record<string, unknown>} package.json as committed */
export function mainManifest() {
  return JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
}

/** @param {string} target Rust target triple @returns {Platform} Node.js's names for it */
export function platformOf(target) {
  const [processor = '', ...rest] = target.split('-');
  const cpu = PROCESSORS.get(processor);
  const system = SYSTEMS.get(rest.join('-'));
  if (cpu === undefined || system === undefined) throw new Error(`expected a target that is known here, got ${target}`);
  const { os, abi, libc } = system;
  const platform = [os, cpu, abi].filter((part) => part !== undefined).join('-');
  return { platform, target, where: { os, cpu, ...(libc !== undefined && { libc }) } };
}

/**
 * @param {AddonName} name @param {MainManifest} main @param {Platform} on
 * @returns {Record<string, unknown>} the package.json of one platform
 */
function platformManifest(name, { version, license, engines, repository: source }, { platform, where }) {
  return {
    name: `${name}-${platform}`,
    version,
    description: `The native addon of ${name} for ${platform}`,
    license,
    repository: source,
    main: `./${addonFile(platform, name)}`,
    files: [addonFile(platform, name), 'NOTICE.md', 'THIRD-PARTY-LICENSES'],
    engines,
    os: [where.os],
    cpu: [where.cpu],
    ...(where.libc !== undefined && { libc: [where.libc] }),
  };
}

/** @param {AddonName} name @param {Platform} on */
function platformReadme(name, { platform, target }) {
  return [
    `# ${name}-${platform}`,
    '',
    `The native addon of ${name}, built for \`${target}\`. ${name} depends on it`,
    'and loads it; nothing else needs to.',
    '',
  ].join('\n');
}

/** @param {string} platform @param {AddonName} [addon] @returns {string} folder in `npm/` */
export const platformFolder = (platform, addon = 'palimpsest') =>
  addon === 'palimpsest' ? platform : `cli-${platform}`;

/** @returns {Map<string, string>} content of `npm/`, by path */
export function platformFiles(main = mainManifest()) {
  const packages = ADDONS.flatMap(({ name }) => main.napi.targets.map((target) => ({ name, on: platformOf(target) })));
  const files = packages.flatMap(({ name, on }) => {
    const folder = platformFolder(on.platform, name);
    return [
      /** @type {const} */ ([
        `${folder}/package.json`,
        `${JSON.stringify(platformManifest(name, main, on), null, 2)}\n`,
      ]),
      /** @type {const} */ ([`${folder}/README.md`, platformReadme(name, on)]),
    ];
  });
  return new Map(files);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync(join(repository, 'npm'), { recursive: true, force: true });
  for (const [path, content] of platformFiles()) {
    mkdirSync(join(repository, 'npm', path, '..'), { recursive: true });
    writeFileSync(join(repository, 'npm', path), content);
  }
}
