// @ts-check
/**
 * Bundlers with their usual configuration for Node.js programs, without any special handling of palimpsest. Their type
 * declarations don't all compile, so they are untyped.
 */
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { run, tool } from './children.mjs';

/** @type {(name: string) => any} */
const load = createRequire(import.meta.url);
const BUN = tool('bun/bin/bun.exe');

/** @typedef {(project: string, entry: string, out: string) => Promise<unknown>} Bundle */

/** @param {'esm' | 'cjs'} format @param {import('esbuild').BuildOptions} [more] @returns {Bundle} */
export function esbuild(format, more = {}) {
  return async (project, entry, outfile) => {
    const options = {
      absWorkingDir: project,
      bundle: true,
      entryPoints: [entry],
      format,
      outfile,
      platform: 'node',
      ...more,
    };
    const { warnings } = await load('esbuild').build({ ...options, logLevel: 'silent' });
    if (warnings.length > 0) throw new Error(JSON.stringify(warnings));
  };
}

/**
 * Every Node.js set-up of rollup has these two plug-ins; without them rollup resolves neither packages nor CommonJS.
 * @param {'es' | 'cjs'} format @returns {Bundle}
 */
function rollup(format) {
  return async (_, input, file) => {
    const { nodeResolve } = load('@rollup/plugin-node-resolve');
    const commonjs = load('@rollup/plugin-commonjs');
    const bundle = await load('rollup').rollup({
      input,
      onwarn: (/** @type {{ code: string, message: string }} */ { code, message }) => {
        // Node.js's own modules are meant to stay external.
        if (code !== 'UNRESOLVED_IMPORT') throw new Error(message);
      },
      plugins: [nodeResolve({ preferBuiltins: true }), commonjs()],
    });
    await bundle.write({ file, format });
  };
}

/** @param {'esm' | 'cjs'} format @returns {Bundle} */
function rolldown(format) {
  return async (_, input, file) => {
    const { rolldown: start } = await import('rolldown');
    const bundle = await start({ input, platform: 'node' });
    await bundle.write({ file, format });
  };
}

/**
 * @param {object} [ssr] `noExternal` bundles packages; by default vite keeps them external
 * @returns {Bundle}
 */
export function viteSsr(ssr = {}) {
  return async (root, entry, out) => {
    const { build } = await import('vite');
    const output = { entryFileNames: basename(out) };
    const options = { emptyOutDir: false, outDir: join(out, '..'), rollupOptions: { output }, ssr: entry };
    await build({ build: options, configFile: false, logLevel: 'error', root, ssr });
  };
}

/** @param {string} root @param {string} entry @returns {Promise<any>} the module, loaded by vite's development server */
export async function viteDevelopment(root, entry) {
  const { createServer } = await import('vite');
  const server = { hmr: false, middlewareMode: true, ws: /** @type {const} */ (false) };
  const started = await createServer({ appType: 'custom', configFile: false, logLevel: 'error', root, server });
  try {
    return await started.ssrLoadModule(entry);
  } finally {
    await started.close();
  }
}

/**
 * @param {string} name 'webpack', or a bundler with the same options @param {'esm' | 'cjs'} format
 * @param {'development' | 'production'} mode @returns {Bundle}
 */
function webpackLike(name, format, mode) {
  return (project, entry, out) => {
    const toModule = { experiments: { outputModule: true }, output: { library: { type: 'module' }, module: true } };
    const own = format === 'esm' ? toModule : { output: {} };
    const output = { ...own.output, filename: basename(out), path: join(out, '..') };
    const { [name]: start = load(name) } = load(name);
    const bundler = start({ ...own, context: project, entry, mode, output, target: 'node' });
    return new Promise((resolve, reject) => {
      bundler.run((/** @type {unknown} */ error, /** @type {any} */ stats) => {
        const { errors, warnings } = stats?.toJson({ all: false, errors: true, warnings: true }) ?? {};
        const complaints = [...(errors ?? []), ...(warnings ?? [])];
        const messages = complaints.map(({ message }) => message).join('\n');
        const found = error ?? (complaints.length > 0 ? new Error(messages) : undefined);
        // Close it before the next one starts, because it may still write until then.
        bundler.close((/** @type {unknown} */ failure) => {
          if (found ?? failure) reject(found ?? failure);
          else resolve(undefined);
        });
      });
    });
  };
}

/** @param {'esm' | 'cjs'} format @returns {Bundle} */
function bun(format) {
  return (project, entry, out) =>
    run(project, BUN, ['build', entry, '--target=node', `--format=${format}`, `--outfile=${out}`]);
}

/** Builds a single executable file. @type {Bundle} */
export const bunExecutable = (project, entry, out) =>
  run(project, BUN, ['build', '--compile', entry, `--outfile=${out}`]);

/** @type {Record<string, { file: string, bundle: Bundle }>} */
export const BUNDLERS = {
  'esbuild, to an ES module and without a banner': { file: 'esbuild.mjs', bundle: esbuild('esm') },
  'esbuild, to CommonJS': { file: 'esbuild.cjs', bundle: esbuild('cjs') },
  'rollup, to an ES module': { file: 'rollup.mjs', bundle: rollup('es') },
  'rollup, to CommonJS': { file: 'rollup.cjs', bundle: rollup('cjs') },
  'rolldown, to an ES module': { file: 'rolldown.mjs', bundle: rolldown('esm') },
  'rolldown, to CommonJS': { file: 'rolldown.cjs', bundle: rolldown('cjs') },
  'vite for ssr, packages included': { file: 'vite.mjs', bundle: viteSsr({ noExternal: true }) },
  'webpack, to CommonJS': { file: 'webpack.cjs', bundle: webpackLike('webpack', 'cjs', 'production') },
  'webpack, to an ES module': { file: 'webpack.mjs', bundle: webpackLike('webpack', 'esm', 'production') },
  'webpack, in development': { file: 'webpack-dev.cjs', bundle: webpackLike('webpack', 'cjs', 'development') },
  'rspack, to CommonJS': { file: 'rspack.cjs', bundle: webpackLike('@rspack/core', 'cjs', 'production') },
  'rspack, to an ES module': { file: 'rspack.mjs', bundle: webpackLike('@rspack/core', 'esm', 'production') },
  'bun, to an ES module': { file: 'bun.mjs', bundle: bun('esm') },
  'bun, to CommonJS': { file: 'bun.cjs', bundle: bun('cjs') },
};
