// @ts-check
/**
 * Makes `ui/dist/elements.js`, the one file that `palimpsest/elements` is: a page may load it as it is. Beside it lies the page of
 * `palimpsest view`, its script with the elements in it, its style, and what draws a bill, for the command. Not committed; set-up and `npm pack` make them.
 *
 *   npm run build:ui
 */
import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
const sources = ['ui', 'lib', 'scripts/bundle-ui.mjs'];
const bundle = join(repository, 'ui', 'dist', 'elements.js');

/** @param {string} path @returns {number} ms, of the newest source in it */
function newestChange(path) {
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  const names = readdirSync(path).filter((name) => name !== 'dist');
  return Math.max(status.mtimeMs, ...names.map((name) => newestChange(join(path, name))));
}

/** Whether there is a bundle, and none of its sources is newer. */
export function isBundled() {
  const newest = Math.max(...sources.map((path) => newestChange(join(repository, path))));
  return existsSync(bundle) && statSync(bundle).mtimeMs >= newest;
}

/** Needs the development tools. @returns {Promise<string>} its path */
export async function bundleElements() {
  const { build } = await import('esbuild');
  const dist = join(repository, 'ui', 'dist');
  await build({
    absWorkingDir: repository,
    entryPoints: ['ui/page/page.js', 'ui/page/page.css', 'ui/page/bill-picture.js', 'ui/elements.js'],
    outdir: dist,
    entryNames: '[name]',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    // Chromium 123, Firefox 120 and Safari 17.5 know `light-dark()`, and all of this.
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'error',
  });
  copyFileSync(join(repository, 'ui', 'page', 'page.html'), join(dist, 'page.html'));
  return bundle;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleElements();
