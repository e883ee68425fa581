// @ts-check
/**
 * Builds `library/`, which replaces `library.js` and `lib/` in the packed package.
 *
 *   library/index.js      all modules in one file, each evaluated on first use: reading 150 files takes longer than
 *                         running them
 *   library/entry/*.mjs   the exports of each entry of the package, for bundlers; re-exported from
 *   library/**\/*.mjs     each file of `lib/` as an ES module; also the sources in the source map of `index.js`
 *
 * Not committed; built by `npm pack` and by the release.
 *
 *   npm run build:library
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = 'library.js';
/** Matches each entry of the package in `library.js`: its name, plain or quoted, and the lines of its exports. */
const ENTRY = /^exports(?:\.(\w+)|\['([\w-]+)'\]) = lazyExports\(\{$([\s\S]*?)^\}\);$/gm;
/** Matches an export's line: its name, the file without extension, and the name in the file. */
const EXPORT_LINE = /(\w+): \(\) =>\s+require\('\.\/lib\/([\w/-]+)\.js'\)\.(\w+),/g;
/** The command's entry: only Node.js loads it, so it needs no ES module. */
const NOT_FOR_BUNDLERS = 'command';

/** Matches an import: what is bound, and the path without extension. */
const REQUIRED = /^const (\{[^}]*\}|\w+) = require\('(\.[^']+)\.js'\);$/gm;
/** Matches the export: its value. */
const EXPORTED = /^module\.exports = (\{[\s\S]*?^\}|\{.*\}|.*);$/m;
/** Matches an object literal of names alone. */
const PLAIN_NAMES = /^\{[\w\s,:]*\}$/;
/** Names in an object literal over several lines, as Biome formats it. */
const NAME_IN_OBJECT = /^ {2}(\w+)(?=[,:])/gm;

/**
 * Converts `a: b` to `a as b` or `b as a`.
 * @param {string} names of a destructuring or object literal, such as `a: b` @param {boolean} isImport
 */
function renamings(names, isImport) {
  return names.replace(/(\w+): (\w+)/g, isImport ? '$1 as $2' : '$2 as $1');
}

/** @param {string} text @returns {boolean} true if it exports names instead of a single value */
function exportsNames(text) {
  return EXPORTED.exec(text)?.[1]?.startsWith('{') === true;
}

/** The `export` statements of a value. @param {string} value the value assigned to `module.exports` */
function exporting(value) {
  if (!value.startsWith('{')) return `export default ${value};`;
  if (PLAIN_NAMES.test(value)) return `export ${renamings(value, false)};`;
  const names = [...value.matchAll(NAME_IN_OBJECT)].map(([, name]) => name);
  const values = names.map((name, index) => `const given${index} = given.${name};`);
  const exported = names.map((name, index) => `given${index} as ${name}`);
  return `const given = ${value};\n${values.join('\n')}\nexport { ${exported.join(', ')} };`;
}

/**
 * Converts a file of `lib/` to an ES module. Lines before the export keep their numbers, because the source map of
 * `index.js` points to them. Bundlers remove unused code only from ES modules; the checkout stays CommonJS, which Node.js
 * can load on demand. The strict style of `lib/` allows a conversion by patterns; other code is rejected.
 * @param {string} text content of a CommonJS file in `lib/`
 * @param {(path: string) => boolean} isOfNames true if the file at that path (without extension) exports names
 * @returns {string} @throws {Error} if the file has an unsupported form
 */
export function asEsModule(text, isOfNames) {
  const module = text
    .replace(/^'use strict';$/m, '')
    .replace(REQUIRED, (_, /** @type {string} */ what, /** @type {string} */ path) => {
      if (what.startsWith('{')) return `import ${renamings(what, true)} from '${path}.mjs';`;
      return `import ${isOfNames(path) ? `* as ${what}` : what} from '${path}.mjs';`;
    })
    .replace(EXPORTED, (_, /** @type {string} */ value) => exporting(value));
  const code = module.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const unsupported = /\brequire\(|\bmodule\.exports\b|\bexports\.\w+ =/.exec(code);
  if (unsupported === null) return module;
  throw new Error(
    `expected “const … = require('./….js')” and one “module.exports = …” in lines of their own; found ${unsupported[0]}`,
  );
}

/** @param {string} path @returns {string} */
const read = (path) => readFileSync(join(repository, path), 'utf8');

/** @param {string} path of a file in `lib/` @returns {string} path of its ES module in `library/` */
const modulePath = (path) => path.replace(/^lib\//, '').replace(/\.js$/, '.mjs');

/** @returns {Map<string, string>} ES modules by path in `library/` */
function entryModules() {
  const entries = [...read(SOURCE).matchAll(ENTRY)].map(([, name, quoted, lines = '']) => ({
    name: name ?? quoted ?? '',
    lines,
  }));
  return new Map(
    entries
      .filter(({ name }) => name !== NOT_FOR_BUNDLERS)
      .map(({ name, lines }) => {
        const exported = [...lines.matchAll(EXPORT_LINE)];
        if (exported.length !== lines.split('() =>').length - 1)
          throw new Error(`${SOURCE}: ${name} has a line of another form`);
        const statements = exported.map(([, as, file, name]) => `export { ${name} as ${as} } from '../${file}.mjs';\n`);
        return [`entry/${name}.mjs`, statements.join('')];
      }),
  );
}

/** @param {string[]} paths of `lib/` @returns {Map<string, string>} ES modules by path in `library/` */
function libraryModules(paths) {
  return new Map(
    paths.map((path) => {
      const isOfNames = (/** @type {string} */ relative) =>
        exportsNames(read(`${posix.join(posix.dirname(path), relative)}.js`));
      try {
        return [modulePath(path), asEsModule(read(path), isOfNames)];
      } catch (error) {
        throw new Error(`${path}: ${error instanceof Error ? error.message : error}`);
      }
    }),
  );
}

/** @param {string} map source map from esbuild @returns {string} the map with the packed files as sources */
function withPackedSources(map) {
  const { sources, ...rest } = JSON.parse(map);
  // Unlike the files of `library/`, `library.js` isn't packed, so the map has its text.
  const isEntry = (/** @type {string} */ source) => source.endsWith(`../${SOURCE}`);
  const packed = sources.map((/** @type {string} */ source) => modulePath(source.replace('../', '')));
  const sourcesContent = sources.map((/** @type {string} */ source) => (isEntry(source) ? read(SOURCE) : null));
  return JSON.stringify({ ...rest, sources: packed, sourcesContent });
}

/**
 * Bundles all modules of `lib/` in one file.
 * @param {any} esbuild
 * @returns {{ files: Map<string, string>, inputs: string[] }} content by path in `library/`, and the files of `lib/`
 */
function bundled(esbuild) {
  const { outputFiles, metafile } = esbuild.buildSync({
    absWorkingDir: repository,
    bundle: true,
    // Node.js reads an ASCII file in half the time.
    charset: 'ascii',
    entryPoints: [SOURCE],
    format: 'cjs',
    legalComments: 'none',
    // Node.js prints the line that threw, so keep names and limit the line length.
    lineLimit: 120,
    logLevel: 'error',
    metafile: true,
    minifySyntax: true,
    minifyWhitespace: true,
    outfile: 'library/index.js',
    platform: 'node',
    sourcemap: true,
    sourcesContent: false,
    target: 'node20.16',
    write: false,
  });
  /** @type {{ path: string, text: string }[]} */
  const written = outputFiles;
  const files = new Map(
    written.map(({ path, text }) =>
      path.endsWith('.map') ? ['index.js.map', withPackedSources(text)] : ['index.js', text],
    ),
  );
  return { files, inputs: Object.keys(metafile.inputs).filter((path) => path !== SOURCE) };
}

/** Checks that every imported name is exported. @param {any} esbuild @param {string} folder @param {Iterable<string>} entries */
function checkModules(esbuild, folder, entries) {
  const entryPoints = Array.from(entries, (path) => join(folder, path));
  const options = { bundle: true, format: 'esm', logLevel: 'silent', outdir: folder, platform: 'node', write: false };
  const { warnings } = esbuild.buildSync({ ...options, entryPoints });
  if (warnings.length > 0) throw new Error(`library: ${JSON.stringify(warnings)}`);
}

/** Writes `library/`. Needs the development dependencies. @param {string} [folder] is emptied first */
export function bundleLibrary(folder = join(repository, 'library')) {
  const esbuild = createRequire(import.meta.url)('esbuild');
  const { files, inputs } = bundled(esbuild);
  const entries = entryModules();
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of [...files, ...libraryModules(inputs), ...entries]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  checkModules(esbuild, folder, entries.keys());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) bundleLibrary();
