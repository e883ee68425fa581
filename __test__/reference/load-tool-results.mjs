// @ts-check
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const SOURCE = fileURLToPath(new URL('./tool-results.ts', import.meta.url));
const BUNDLE = fileURLToPath(new URL('../../build/reference-tool-results.mjs', import.meta.url));

/**
 * Compiles the TypeScript reference for outputs and tool results and imports it.
 * @returns {Promise<typeof import('./tool-results.ts')>}
 */
export async function loadToolResultsReference() {
  await build({ entryPoints: [SOURCE], outfile: BUNDLE, format: 'esm', target: 'node20', logLevel: 'silent' });
  return import(pathToFileURL(BUNDLE).href);
}
