// @ts-check
/** The package as users install it: with each package manager, its files, its types and its errors. */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { addonFile } from '../../scripts/addons.mjs';
import { bundleLibrary } from '../../scripts/bundle-library.mjs';
import { mainManifest } from '../../scripts/platform-packages.mjs';
import { node, repository, run, runAnyhow, tool } from '../support/children.mjs';
import { makeProject, platform, publish } from '../support/published.mjs';

const manifest = mainManifest();
const TYPESCRIPT = tool('typescript/bin/tsc');
/** Files that only the repository needs. */
const NOT_FOR_USERS = [
  /(^|\/)(__test__|test|tests|bench|benches|build|crates|(?<!docs\/)examples|fuzz|node_modules|npm|pictures|scripts|src|target)\//,
  /\.(node|rs|toml|tgz|log)$/,
  /(^|\/)(biome\.json|binding\.d\.ts|tsconfig[^/]*|package-lock\.json)$/,
  /[^d]\.m?ts$/,
];
/** The words with which each package manager installs a package, runs a program and runs the package’s command. */
const MANAGERS = {
  npm: { install: ['npm', 'install'], node: [process.execPath], exec: ['npx', '--no-install'] },
  pnpm: installedManager('pnpm/bin/pnpm.cjs', 'add', [process.execPath], 'exec'),
  'yarn 1': installedManager('yarn/bin/yarn.js', 'add', [process.execPath], 'run'),
  'yarn 4, Plug’n’Play': installedManager('@yarnpkg/cli-dist/bin/yarn.js', 'add', undefined, 'run'),
};

/** @param {string} path @param {string} install @param {string[] | undefined} nodeWords @param {string} exec */
function installedManager(path, install, nodeWords, exec) {
  const program = [process.execPath, tool(path)];
  return { install: [...program, install], node: nodeWords ?? [...program, 'node'], exec: [...program, exec] };
}

/** @param {unknown} value @returns {string[]} the files that a part of package.json names */
function filesNamedIn(value) {
  if (typeof value === 'string') return [value.replace(/^\.\//, '')];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(filesNamedIn) : [];
}

/** @type {import('../support/published.mjs').Published} */
let published;
before(async () => {
  published = await publish();
});
after(() => published?.close());

/**
 * @param {string} project
 * @param {readonly string[]} words the program and its arguments
 */
async function runIn(project, [program = '', ...words]) {
  const { stderr, stdout } = await run(project, program, words, published.settings);
  assert.equal(stderr, '');
  return stdout;
}

/** @param {keyof typeof MANAGERS} manager @returns {Promise<string>} a project in which the library and the command are installed */
async function install(manager) {
  const project = makeProject(published, manager.replaceAll(/\W/g, '-'));
  const [program = '', ...words] = MANAGERS[manager].install;
  await run(project, program, [...words, 'palimpsest', 'palimpsest-cli'], published.settings);
  return project;
}

for (const manager of /** @type {(keyof typeof MANAGERS)[]} */ (Object.keys(MANAGERS))) {
  describe(`the package, installed with ${manager} into an empty project`, () => {
    /** @type {string} */
    let project;
    before(async () => {
      project = await install(manager);
    });
    const commands = MANAGERS[manager];

    it('works as an ES module and as CommonJS', async () => {
      assert.equal(JSON.parse(await runIn(project, [...commands.node, 'esm.mjs'])).changed, 15);
      const version = JSON.parse(await runIn(project, [...commands.node, 'common.cjs']));
      assert.deepEqual(version, { version: manifest.version });
    });

    it('has the palimpsest command, which uses both addons', async () => {
      const stored = "import { storedSession } from './session.mjs'; console.log(JSON.stringify(storedSession()))";
      writeFileSync(join(project, 'session.json'), (await node(project, '--input-type=module', '-e', stored)).stdout);
      const command = (/** @type {string[]} */ ...words) =>
        run(project, commands.exec[0] ?? '', [...commands.exec.slice(1), 'palimpsest', ...words], published.settings);
      assert.match(
        (await command('--version')).stdout,
        new RegExp(`^${manifest.version.replaceAll('.', '\\.')}$`, 'm'),
      );
      assert.match((await command('report', 'session.json')).stdout, /session\.json/);
      assert.match((await command('simulate', 'session.json')).stdout, /session/);
    });
  });
}

it('the package, packed in a checkout, installs from its tarball and runs on a machine of the same platform', async () => {
  // Packed without scripts, because the addon and the elements are built already.
  bundleLibrary();
  const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', published.folder];
  const [{ filename }] = JSON.parse((await run(repository, 'npm', words, published.settings)).stdout);
  const project = makeProject(published, 'from-tarball');
  await run(project, 'npm', ['install', '--omit=optional', join(published.folder, filename)], published.settings);
  assert.equal(JSON.parse(await runIn(project, [process.execPath, 'esm.mjs'])).changed, 15);
});

describe('the installed package', () => {
  /** @type {string} */
  let application;
  before(async () => {
    application = makeProject(published, 'application');
    cpSync(join(repository, '__test__', 'types'), join(application, 'types'), { recursive: true });
    await run(application, 'npm', ['install', 'palimpsest'], published.settings);
  });
  const installed = (/** @type {string} */ name) => join(application, 'node_modules', name);
  /** @param {string} folder @returns {string[]} its files, by path in it */
  const filesIn = (folder) => {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return files.map((file) => file.slice(folder.length + 1).replaceAll('\\', '/'));
  };
  const outputOf = async (/** @type {string} */ script) =>
    JSON.parse(await runIn(application, [process.execPath, script]));

  it('has the files that package.json names and the documents, and no files that only the repository needs', () => {
    const paths = filesIn(installed('palimpsest'));
    const documents = filesIn(join(repository, 'docs'))
      .filter((name) => !name.startsWith('pictures/'))
      .map((name) => `docs/${name}`);
    assert.ok(documents.includes('docs/spec/README.md'), documents.join());
    const named = filesNamedIn([manifest.main, manifest.types, manifest.exports, manifest.bin]);
    const needed = [...named, ...documents, 'LICENSE', 'NOTICE.md', 'README.md', 'README.zh.md'];
    assert.deepEqual(
      needed.filter((path) => !paths.includes(path)),
      [],
      'missing',
    );
    assert.deepEqual(
      paths.filter((path) => NOT_FOR_USERS.some((pattern) => pattern.test(path))),
      [],
    );
    const notices = ['LICENSE', 'NOTICE.md', 'THIRD-PARTY-LICENSES'];
    const ofPlatform = [...notices, 'README.md', 'package.json', addonFile(platform)];
    assert.deepEqual(filesIn(installed(`palimpsest-${platform}`)).sort(), ofPlatform.sort());
  });

  it('mentions in its code only documents that are installed with it', () => {
    const folder = installed('palimpsest');
    for (const path of filesIn(folder).filter((name) => /\.[cm]?[jt]s$/.test(name))) {
      const cited = readFileSync(join(folder, path), 'utf8').match(/\b[\w-]+(?:\/[\w-]+)*\.md\b/g) ?? [];
      assert.deepEqual(
        cited.filter((name) => !filesIn(folder).includes(name)),
        [],
        path,
      );
      if (/\.d\.[cm]?ts$/.test(path)) assert.doesNotMatch(readFileSync(join(folder, path), 'utf8'), /\bSPEC\b/, path);
    }
  });

  it('installs one other package, which has the addon of this platform', () => {
    const names = readdirSync(join(application, 'node_modules')).filter((name) => !name.startsWith('.'));
    assert.deepEqual(names.sort(), ['palimpsest', `palimpsest-${platform}`]);
  });

  it('loads an entry and one library file for a function, and its stack traces have lines of the sources', async () => {
    const script = `const { messageCleanup } = { messageCleanup: require('palimpsest/messageCleanup') };
      messageCleanup.cleanOrphanedToolCalls([]);
      let stack = ''; try { require('palimpsest').truncateOutput(7); } catch (error) { stack = error.stack; }
      console.log(JSON.stringify({ loaded: Object.keys(require.cache), stack }));`;
    const { loaded, stack } = JSON.parse((await node(application, '--enable-source-maps', '-e', script)).stdout);
    const paths = loaded.map((/** @type {string} */ path) => path.slice(join(application, 'node_modules').length + 1));
    assert.deepEqual(paths.map((/** @type {string} */ path) => path.replaceAll('\\', '/')).sort(), [
      `palimpsest-${platform}/${addonFile(platform)}`,
      'palimpsest/index.js',
      'palimpsest/lib/entry/messageCleanup.js',
      'palimpsest/library/index.js',
    ]);
    const [, path = '', line = ''] = /\(.*library\/(output\.mjs):(\d+):/.exec(stack) ?? [];
    assert.equal(path, 'output.mjs', stack);
    const source = readFileSync(join(installed('palimpsest'), 'library', path), 'utf8').split('\n');
    assert.match(source[Number(line) - 1] ?? '', /throw wrongType\('content'/);
  });

  it('passes publint and “are the types wrong”', async () => {
    const { messages, pkg } = await publint({
      pkgDir: published.staged.main,
      level: 'suggestion',
      strict: true,
      pack: 'npm',
    });
    assert.deepEqual(
      messages.map((message) => formatMessage(message, pkg)),
      [],
    );
    const [{ filename }] = JSON.parse(
      await runIn(published.staged.main, ['npm', 'pack', '--json', '--pack-destination', published.folder]),
    );
    const { problems, types } = /** @type {any} */ (
      await checkPackage(createPackageFromTarballData(readFileSync(join(published.folder, filename))))
    );
    // The elements are for browsers and the store contract is for `node --test`: neither needs CommonJS.
    const isIntended = (/** @type {any} */ { kind, entrypoint }) =>
      kind === 'CJSResolvesToESM' && ['./elements', './store-contract'].includes(entrypoint);
    assert.deepEqual(
      problems.filter((/** @type {any} */ problem) => !isIntended(problem)),
      [],
    );
    assert.deepEqual(types, { kind: 'included' });
  });

  it('fails without its optional dependency with ERR_PALIMPSEST_NATIVE, and names --omit=optional', async () => {
    const project = makeProject(published, 'without-optional');
    await run(project, 'npm', ['install', '--omit=optional', 'palimpsest'], published.settings);
    const { status, stderr } = await runAnyhow(project, process.execPath, ['esm.mjs']);
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`palimpsest-${platform} ${manifest.version}.*--omit=optional`));
    assert.match(stderr, /code: 'ERR_PALIMPSEST_NATIVE'/);
  });

  it('R0.6 exports the same functions as ES module and as CommonJS, with the names that the types declare', async () => {
    const { names } = await outputOf('esm.mjs');
    const folder = installed('palimpsest');
    const types = join('lib', 'entry', 'types');
    const files = ['index.d.ts', ...readdirSync(join(folder, types)).map((name) => join(types, name))];
    const declared = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
    const declaredNames = [...declared.matchAll(/^export (?:declare )?(?:function|const|class) (\w+)/gm)];
    assert.deepEqual(names, [...new Set(declaredNames.map(([, name]) => name))].sort(), 'the types have other names');
  });

  it('R0.7 compiles in .mts and .cts programs with Node.js’s module resolution, and the programs run', async () => {
    const compilerOptions = { module: 'nodenext', target: 'es2022', outDir: 'compiled', types: [], strict: true };
    writeConfig('tsconfig.nodenext.json', compilerOptions, ['typed.mts', 'typed.cts', 'types/*.ts']);
    await compile('tsconfig.nodenext.json');
    await node(application, 'compiled/typed.mjs');
    await node(application, 'compiled/typed.cjs');
  });

  it('R0.7 compiles with the module resolution of bundlers', async () => {
    const resolution = { module: 'esnext', moduleResolution: 'bundler', target: 'es2022', noEmit: true };
    const compilerOptions = { ...resolution, types: [], strict: true, exactOptionalPropertyTypes: true };
    writeConfig('tsconfig.bundler.json', compilerOptions, ['typed.mts', 'types/*.ts']);
    await compile('tsconfig.bundler.json');
  });

  it('does not compile if an argument has a wrong type', async () => {
    writeFileSync(
      join(application, 'wrong.mts'),
      "import { prepareMessages } from 'palimpsest';\nprepareMessages(7);\n",
    );
    writeConfig('tsconfig.wrong.json', { module: 'nodenext', noEmit: true, types: [], strict: true }, ['wrong.mts']);
    await assert.rejects(compile('tsconfig.wrong.json'), /wrong\.mts\(2,17\): error TS2345/);
  });

  it('R0.6 works in two threads at once, while one is terminated during a call', async () => {
    assert.deepEqual(await outputOf('threads.mjs'), { wasInCall: true });
  });

  /** @param {string} config */
  function compile(config) {
    return node(application, TYPESCRIPT, '-p', config);
  }

  /** @param {string} name @param {object} compilerOptions @param {string[]} include */
  function writeConfig(name, compilerOptions, include) {
    writeFileSync(join(application, name), JSON.stringify({ compilerOptions, include }));
  }
});
