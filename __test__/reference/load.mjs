// @ts-check
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** @typedef {typeof import('./message-cleanup.ts')} Reference */

const SOURCE = fileURLToPath(new URL('./message-cleanup.ts', import.meta.url));

const BUNDLE = fileURLToPath(new URL('../../build/reference.mjs', import.meta.url));

/**
 * Bundles the TypeScript reference and imports it: tests and benches run the same compiled code.
 * @returns {Promise<Reference>}
 */
export async function loadReference() {
  const { outputFiles } = await build({
    entryPoints: [SOURCE],
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
  });
  mkdirSync(dirname(BUNDLE), { recursive: true });
  // Test files run in parallel processes: none may import a file that another one is writing.
  const draft = `${BUNDLE}.${process.pid}`;
  writeFileSync(draft, outputFiles[0]?.contents ?? '');
  renameSync(draft, BUNDLE);
  return import(pathToFileURL(BUNDLE).href);
}
