// @ts-check
/** A program that imports palimpsest can be bundled by each bundler, and the bundle finds the native addons on another machine. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ADDONS, addonFile } from '../../scripts/addons.mjs';
import { mainManifest } from '../../scripts/platform-packages.mjs';
import { BUNDLERS, bunExecutable, esbuild, viteDevelopment, viteSsr } from '../support/bundlers.mjs';
import { node, run, runAnyhow, tool } from '../support/children.mjs';
import { makeProject, platform, publish } from '../support/published.mjs';

const { version } = mainManifest();
/**
 * Prints an error's code and message. Node.js would print the line that threw, and a minified bundle's only line is too
 * long for a pipe. Some bundlers evaluate a module on first use, so rejections of the program are caught, too.
 */
const PRINT_ERROR = `const print = ({ code, message }) => {
  console.error(code + ': ' + message);
  process.exitCode = 1;
};
process.on('unhandledRejection', print);
import(process.argv[1]).catch(print);`;
/** Bun adds `.exe` on Windows if it is missing. */
const EXECUTABLE = process.platform === 'win32' ? 'agent.exe' : 'agent';
const PRINTED = {
  agent: 'live',
  twice: [],
  // A view takes ages from the messages' own times; the newest is an hour old.
  changed: [15, 5],
  placeholders: 10,
  tokens: 2,
  archived: 0,
  answer: 'LlmHttpError',
  version,
};

/** The project is renamed before its bundles run, as on another machine, so they can't read its files. */
describe('a strict TypeScript program that imports palimpsest, bundled without settings for palimpsest', () => {
  /** @type {import('../support/published.mjs').Published} */
  let published;
  /** @type {string} */
  let project;
  /** @type {string} a folder where only the platform packages are installed */
  let target;
  /** @type {unknown} output of vite's SSR build, which keeps packages external */
  let vitePrinted;
  /** @type {{ version: string }} the package, imported by vite's development server */
  let inDevelopment;
  /** @type {Map<string, Error>} errors of bundlers, by the bundle's file */
  const bundleErrors = new Map();
  /** Sizes in bytes of a bundle with one function and of one with all. */
  const bytes = { one: 0, all: 0 };

  before(async () => {
    published = await publish();
    project = makeProject(published, 'bundled');
    await run(project, 'npm', ['install', 'palimpsest', 'palimpsest-cli'], published.settings);
    const compilerOptions = {
      allowJs: true,
      module: 'nodenext',
      outDir: 'built',
      strict: true,
      target: 'es2022',
      types: [],
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['agent.mts'] }));
    await node(project, tool('typescript/bin/tsc'), '-p', 'tsconfig.json');
    const bundles = join(published.folder, 'bundles');
    for (const { file, bundle } of Object.values(BUNDLERS)) {
      await bundle(project, join(project, 'built', 'agent.mjs'), join(bundles, file)).catch((error) =>
        bundleErrors.set(file, error),
      );
    }
    await bunExecutable(project, join(project, 'built', 'agent.mjs'), join(published.folder, 'executable', EXECUTABLE));
    await viteSsr()(project, join(project, 'built', 'agent.mjs'), join(project, 'dist', 'external.mjs'));
    vitePrinted = JSON.parse((await node(project, join('dist', 'external.mjs'))).stdout);
    for (const [name, what] of /** @type {const} */ ([
      ['one', '{ truncateOutput }'],
      ['all', '*'],
    ])) {
      const [program, out] = [join(project, `${name}.mjs`), join(project, 'dist', `${name}.mjs`)];
      writeFileSync(program, `export ${what} from 'palimpsest';\n`);
      await esbuild('esm', { minify: true })(project, program, out);
      bytes[name] = statSync(out).size;
    }
    writeFileSync(join(project, 'version.mjs'), "export { version } from 'palimpsest';\n");
    inDevelopment = await viteDevelopment(project, '/version.mjs');
    target = join(published.folder, 'elsewhere');
    mkdirSync(target);
    writeFileSync(join(target, 'package.json'), '{ "private": true }\n');
    await run(target, 'npm', ['install', ...ADDONS.map(({ name }) => `${name}-${platform}`)], published.settings);
    renameSync(bundles, join(target, 'dist'));
    renameSync(project, join(published.folder, 'gone'));
  });
  after(() => published?.close());

  for (const [bundler, { file }] of Object.entries(BUNDLERS)) {
    it(`${bundler}: the bundle runs where the platform packages are installed`, async () => {
      assert.equal(bundleErrors.get(file)?.message, undefined);
      // Started in another folder, from which nothing may be loaded.
      const { stderr, stdout } = await node(published.folder, join(target, 'dist', file));
      assert.equal(stderr, '');
      assert.deepEqual(JSON.parse(stdout), PRINTED);
    });
  }

  it('vite for ssr with external packages, and its development server: the program runs where the package is installed', () => {
    assert.deepEqual(vitePrinted, PRINTED);
    assert.equal(inDevelopment.version, version);
  });

  it('a bundle with one function is below 13,000 bytes and a tenth of a bundle with all', () => {
    assert.ok(bytes.one < 13_000 && bytes.all > 10 * bytes.one, JSON.stringify(bytes));
  });

  it('each bundler writes one file, and no addon', () => {
    assert.deepEqual(
      readdirSync(join(target, 'dist')).sort(),
      Object.values(BUNDLERS)
        .map(({ file }) => file)
        .sort(),
    );
  });

  /** @param {string} name @returns {string} a folder with the bundles and nothing else */
  const copyBundles = (name) => {
    const folder = join(published.folder, name);
    cpSync(join(target, 'dist'), join(folder, 'dist'), { recursive: true });
    return folder;
  };

  /** @param {import('../../scripts/addons.mjs').AddonName} addon @returns {string} the installed file */
  const installedAddon = (addon) => join(target, 'node_modules', `${addon}-${platform}`, addonFile(platform, addon));
  /** @param {string} folder */
  const copyAddons = (folder) => {
    for (const { name } of ADDONS) cpSync(installedAddon(name), join(folder, addonFile(platform, name)));
  };

  it('each bundle runs with the addons’ files in its folder and no package installed', async () => {
    const folder = copyBundles('beside');
    copyAddons(join(folder, 'dist'));
    for (const { file } of Object.values(BUNDLERS)) {
      const { stdout } = await node(published.folder, join(folder, 'dist', file));
      assert.deepEqual(JSON.parse(stdout), PRINTED, file);
    }
  });

  it('bun build --compile: the executable loads addons from its folder or by variables, and names a missing package', async () => {
    const folder = join(published.folder, 'executable');
    const program = join(folder, EXECUTABLE);
    const { status, stderr } = await runAnyhow(target, program, []);
    assert.equal(status, 1);
    assert.ok(stderr.includes(`palimpsest-${platform} ${version} was not found from ${program}`), stderr);
    const withVariables = await run(published.folder, program, [], {
      PALIMPSEST_NATIVE_PATH: installedAddon('palimpsest'),
      PALIMPSEST_CLI_NATIVE_PATH: installedAddon('palimpsest-cli'),
    });
    assert.deepEqual(JSON.parse(withVariables.stdout), PRINTED);
    copyAddons(folder);
    const withFiles = await run(published.folder, program, []);
    assert.deepEqual(JSON.parse(withFiles.stdout), PRINTED);
  });

  it('each bundle runs in a pnpm project, where only palimpsest can resolve the platform package', async () => {
    const folder = copyBundles('strict');
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    await run(
      folder,
      process.execPath,
      [tool('pnpm/bin/pnpm.cjs'), 'add', 'palimpsest', 'palimpsest-cli'],
      published.settings,
    );
    assert.ok(!readdirSync(join(folder, 'node_modules')).includes(`palimpsest-${platform}`));
    for (const { file } of Object.values(BUNDLERS)) {
      const { stdout } = await node(published.folder, join(folder, 'dist', file));
      assert.deepEqual(JSON.parse(stdout), PRINTED, file);
    }
  });

  it('without an addon each bundle fails with ERR_PALIMPSEST_NATIVE, the missing package and the bundle’s path', async () => {
    const folder = copyBundles('without');
    for (const { file } of Object.values(BUNDLERS)) {
      const args = ['-e', PRINT_ERROR, pathToFileURL(join(folder, 'dist', file)).href];
      const { status, stderr } = await runAnyhow(target, process.execPath, args);
      assert.equal(status, 1, file);
      assert.ok(
        stderr.includes(`palimpsest-${platform} ${version} was not found from ${join(folder, 'dist', file)}`),
        stderr,
      );
      assert.match(stderr, /^ERR_PALIMPSEST_NATIVE: /);
    }
    rmSync(folder, { recursive: true });
  });
});
