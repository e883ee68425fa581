// @ts-check
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
 * Node.js itself prints the line that threw: of a minified bundle all of it, which is more than a pipe takes. Some bundlers evaluate
 * a module when it is first used, which is in the program's own function.
 */
const SAY_ERROR = `const say = ({ code, message }) => {
  console.error(code + ': ' + message);
  process.exitCode = 1;
};
process.on('unhandledRejection', say);
import(process.argv[1]).catch(say);`;
/** Bun adds the ending on Windows where it is missing. */
const EXECUTABLE = process.platform === 'win32' ? 'agent.exe' : 'agent';
const PRINTED = {
  agent: 'live',
  twice: [],
  // A view judges ages by the messages' own times, the newest of which is an hour old.
  changed: [15, 5],
  placeholders: 10,
  tokens: 2,
  archived: 0,
  answer: 'LlmHttpError',
  version,
};

/** The host's project is gone when its bundle runs, as on any other machine: a bundle may not look into it. */
describe('a strict TypeScript program that imports palimpsest, bundled without a word about it', () => {
  /** @type {import('../support/published.mjs').Published} */
  let published;
  /** @type {string} */
  let project;
  /** @type {string} where only the platform packages are installed */
  let target;
  /** @type {unknown} what the program printed where vite leaves the package installed */
  let external;
  /** @type {{ version: string }} the package as vite's development server imports it */
  let inDevelopment;
  /** @type {Map<string, Error>} what went wrong, by bundle */
  const failed = new Map();
  /** How long a program is that uses one function, and one that uses all, in bytes. */
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
        failed.set(file, error),
      );
    }
    await bunExecutable(project, join(project, 'built', 'agent.mjs'), join(published.folder, 'executable', EXECUTABLE));
    await viteSsr()(project, join(project, 'built', 'agent.mjs'), join(project, 'dist', 'external.mjs'));
    external = JSON.parse((await node(project, join('dist', 'external.mjs'))).stdout);
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

  for (const [how, { file }] of Object.entries(BUNDLERS)) {
    it(`${how}: runs where the platform package is installed`, async () => {
      assert.equal(failed.get(file)?.message, undefined);
      // Started somewhere else: neither its addon nor anything else may come from there.
      const { stderr, stdout } = await node(published.folder, join(target, 'dist', file));
      assert.equal(stderr, '');
      assert.deepEqual(JSON.parse(stdout), PRINTED);
    });
  }

  it('vite for ssr, packages left outside, and its development server: runs where the package is installed', () => {
    assert.deepEqual(external, PRINTED);
    assert.equal(inDevelopment.version, version);
  });

  it('21.5 takes of the package what it uses: one function is a twentieth of it', () => {
    assert.ok(bytes.one < 13_000 && bytes.all > 10 * bytes.one, JSON.stringify(bytes));
  });

  it('is one file each, with no addon in it or beside it', () => {
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

  it('runs with the files of the addons beside it, and no package at all', async () => {
    const folder = copyBundles('beside');
    copyAddons(join(folder, 'dist'));
    for (const { file } of Object.values(BUNDLERS)) {
      const { stdout } = await node(published.folder, join(folder, 'dist', file));
      assert.deepEqual(JSON.parse(stdout), PRINTED, file);
    }
  });

  it('20 B13 bun build --compile: runs with the files of the addons beside it or named, and says that it is missing', async () => {
    const folder = join(published.folder, 'executable');
    const program = join(folder, EXECUTABLE);
    const { status, stderr } = await runAnyhow(target, program, []);
    assert.equal(status, 1);
    assert.ok(stderr.includes(`palimpsest-${platform} ${version} was not found from ${program}`), stderr);
    const named = await run(published.folder, program, [], {
      PALIMPSEST_NATIVE_PATH: installedAddon('palimpsest'),
      PALIMPSEST_CLI_NATIVE_PATH: installedAddon('palimpsest-cli'),
    });
    assert.deepEqual(JSON.parse(named.stdout), PRINTED);
    copyAddons(folder);
    const beside = await run(published.folder, program, []);
    assert.deepEqual(JSON.parse(beside.stdout), PRINTED);
  });

  it('runs where pnpm or Plug’n’Play show the platform package to palimpsest alone', async () => {
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

  it('says what is missing, and from where it looked, where no addon is', async () => {
    const folder = copyBundles('without');
    for (const { file } of Object.values(BUNDLERS)) {
      const words = ['-e', SAY_ERROR, pathToFileURL(join(folder, 'dist', file)).href];
      const { status, stderr } = await runAnyhow(target, process.execPath, words);
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
