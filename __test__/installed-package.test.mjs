// @ts-check
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { build } from 'esbuild';
import { compile, node, packAndInstall, repository, run, whyNotPackable } from './support/packed.mjs';

/** @typedef {import('./support/packed.mjs').Tarball} Tarball */

const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
/** What a published package has no use for, wherever it lies. */
const NOT_FOR_USERS = [
  /(^|\/)(__test__|test|tests|bench|benches|build|crates|docs|examples|fuzz|node_modules|scripts|src|target)\//,
  /\.(map|node|rs|toml|tgz|log)$/,
  /(^|\/)(biome\.json|tsconfig[^/]*|package-lock\.json)$/,
  /[^d]\.m?ts$/,
];

/** @param {unknown} value @returns {string[]} the files that a part of package.json points to */
function targets(value) {
  if (typeof value === 'string') return [value.replace(/^\.\//, '')];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(targets) : [];
}

/** @param {Tarball} tarball */
function sizes({ size, unpackedSize, paths }) {
  const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} kB`;
  return `${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked, ${paths.length} files`;
}

describe('the packed package, installed into an empty folder', { skip: whyNotPackable() }, () => {
  /** @type {ReturnType<typeof packAndInstall>} */
  let installed;
  before(() => {
    installed = packAndInstall();
  });
  after(() => installed && rmSync(installed.folder, { recursive: true, force: true }));

  /** @param {string} script @returns {any} what it printed: R0.5, the package adds nothing of its own */
  const printed = (script) => {
    const { stderr, stdout } = node(installed.host, script);
    assert.equal(stderr, '');
    return JSON.parse(stdout);
  };

  it('holds what package.json points to and nothing that only this repository needs', (t) => {
    const { main, platform } = installed;
    t.diagnostic(`palimpsest: ${sizes(main)}`);
    t.diagnostic(`palimpsest-linux-x64-gnu: ${sizes(platform)}`);
    const needed = targets([manifest.main, manifest.types, manifest.exports, manifest.bin, 'LICENSE']);
    assert.deepEqual(
      needed.filter((path) => !main.paths.includes(path)),
      [],
      'missing',
    );
    const unwanted = main.paths.filter((path) => NOT_FOR_USERS.some((pattern) => pattern.test(path)));
    assert.deepEqual(unwanted, []);
    const addon = 'palimpsest.linux-x64-gnu.node';
    assert.deepEqual(platform.paths.toSorted(), ['README.md', 'package.json', addon].toSorted());
  });

  it('needs no package but the one with the addon', () => {
    const tree = JSON.parse(run(installed.host, 'npm', ['ls', '--all', '--json', '--offline']).stdout);
    assert.deepEqual(Object.keys(tree.dependencies).sort(), ['palimpsest', 'palimpsest-linux-x64-gnu']);
    assert.equal(tree.dependencies.palimpsest.dependencies, undefined);
  });

  it('R0.6 works as an ES module, and CommonJS gets the very same functions', () => {
    const { changed, names } = printed('esm.mjs');
    assert.equal(changed, 15);
    const types = join(installed.host, 'node_modules', 'palimpsest');
    const files = ['index.d.ts', ...readdirSync(join(types, 'types')).map((name) => join('types', name))];
    const declared = files.map((name) => readFileSync(join(types, name), 'utf8')).join('\n');
    const declaredNames = [...declared.matchAll(/^export (?:declare )?(?:function|const|class) (\w+)/gm)];
    assert.deepEqual(names, [...new Set(declaredNames.map(([, name]) => name))].sort(), 'the types name others');
  });

  it('R0.6 works from CommonJS', () => {
    assert.deepEqual(printed('common.cjs'), { version: manifest.version });
  });

  it('R0.7 is understood by TypeScript as Node.js resolves modules, from .mts and .cts, and then runs', () => {
    const compilerOptions = { module: 'nodenext', target: 'es2022', outDir: 'compiled', types: [], strict: true };
    writeConfig('tsconfig.nodenext.json', compilerOptions, ['typed.mts', 'typed.cts', 'types/*.ts']);
    compile(installed.host, 'tsconfig.nodenext.json');
    node(installed.host, 'compiled/typed.mjs');
    node(installed.host, 'compiled/typed.cjs');
  });

  it('R0.7 is understood by TypeScript as bundlers resolve modules', () => {
    const resolution = { module: 'esnext', moduleResolution: 'bundler', target: 'es2022', noEmit: true };
    const compilerOptions = { ...resolution, types: [], strict: true, exactOptionalPropertyTypes: true };
    writeConfig('tsconfig.bundler.json', compilerOptions, ['typed.mts', 'types/*.ts']);
    compile(installed.host, 'tsconfig.bundler.json');
  });

  it('a wrong use does not compile', () => {
    writeFileSync(
      join(installed.host, 'wrong.mts'),
      "import { prepareMessages } from 'palimpsest';\nprepareMessages(7);\n",
    );
    writeConfig('tsconfig.wrong.json', { module: 'nodenext', noEmit: true, types: [], strict: true }, ['wrong.mts']);
    assert.throws(() => compile(installed.host, 'tsconfig.wrong.json'), /wrong\.mts\(2,17\): error TS2345/);
  });

  for (const format of /** @type {const} */ (['esm', 'cjs'])) {
    it(`bundled by esbuild as ${format}, with the addon left outside, it runs`, async () => {
      const outfile = `bundle/host.${format === 'esm' ? 'mjs' : 'cjs'}`;
      const { metafile, warnings } = await build({
        absWorkingDir: installed.host,
        // CommonJS in an ES module needs its `require` back; every bundled Node.js program has this line.
        ...(format === 'esm' && { banner: { js: REQUIRE } }),
        bundle: true,
        entryPoints: ['bundled.mjs'],
        external: ['*.node', 'palimpsest-*'],
        format,
        logLevel: 'silent',
        metafile: true,
        outfile,
        platform: 'node',
        target: 'node20',
      });
      assert.deepEqual(warnings, []);
      const outside = metafile.outputs[outfile]?.imports.map(({ path }) => path) ?? [];
      assert.ok(!outside.includes('palimpsest'), 'the face belongs into the bundle');
      assert.deepEqual(printed(outfile), { changed: 15, placeholders: 10 });
    });
  }

  it('R0.6 works in two threads at once, and one may be terminated in the middle of a call', () => {
    assert.deepEqual(printed('threads.mjs'), { wasInCall: true });
  });

  it('brings the command', () => {
    const command = (/** @type {string[]} */ ...words) =>
      run(installed.host, 'npx', ['--offline', '--no-install', 'palimpsest', ...words]).stdout;
    assert.equal(command('--version'), `${manifest.version}\n`);
    const script = "import { now, storedSession } from './session.mjs'; console.log(JSON.stringify(storedSession()))";
    writeFileSync(
      join(installed.host, 'session.json'),
      node(installed.host, '--input-type=module', '-e', script).stdout,
    );
    assert.match(command('report', 'session.json'), /session\.json/);
    assert.equal(typeof JSON.parse(command('report', '--json', 'session.json')), 'object');
  });

  /** @param {string} name @param {object} compilerOptions @param {string[]} include */
  function writeConfig(name, compilerOptions, include) {
    writeFileSync(join(installed.host, name), JSON.stringify({ compilerOptions, include }));
  }
});

const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
