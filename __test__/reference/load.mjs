// @ts-check
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** @typedef {typeof import('./message-cleanup.ts')} Reference */

const SOURCE = fileURLToPath(new URL('./message-cleanup.ts', import.meta.url));

/** Where the compiled reference lands; benches start child processes that import it. */
export const BUNDLE = fileURLToPath(new URL('../../build/reference.mjs', import.meta.url));

/**
 * Bundles the TypeScript reference and imports it: tests and benches run the same compiled code.
 * @returns {Promise<Reference>}
 */
export async function loadReference() {
  await build({
    entryPoints: [SOURCE],
    outfile: BUNDLE,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
  });
  return import(pathToFileURL(BUNDLE).href);
}
