// @ts-check
/**
 * Builds `ui/dist`: `elements.js`, the single file behind `palimpsest/elements`, which pages can also load directly, and
 * the page of `palimpsest view`: its script, its style sheet, and for the command the module that draws the bill. Not
 * committed; built by the set-up and by `npm pack`.
 *
 *   npm run build:ui
 */
import { copyFileSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newestChange } from './ensure-built.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
const sources = ['ui', 'lib', 'scripts/bundle-ui.mjs'];
const bundle = join(repository, 'ui', 'dist', 'elements.js');

/** True if the bundle exists and is newer than all its sources. */
export function isBundled() {
  const newest = Math.max(...sources.map((path) => newestChange(join(repository, path), 'dist')));
  return existsSync(bundle) && statSync(bundle).mtimeMs >= newest;
}

/** Needs the development dependencies. @returns {Promise<string>} the bundle's path */
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
    // Chromium 123, Firefox 120 and Safari 17.5 support `light-dark()` and all of ES2022.
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
