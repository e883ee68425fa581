// @ts-check
/** Runs one contender in its own process: `first-call.mjs <name> <history file>` prints its times as JSON. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [name, file] = process.argv.slice(2);
const messages = JSON.parse(readFileSync(file, 'utf8'));
const now = messages[messages.length - 1].timestamp + 1000;
const loaders = {
  // Imported by URL: the parent process creates the file, so the compiler can't find it.
  reference: () => import(new URL('../build/reference.mjs', import.meta.url).href),
  'best JS': () => import('./reference/best.mjs'),
  product: () => createRequire(import.meta.url)('palimpsest'),
};

const start = performance.now();
const implementation = await loaders[name]();
const loaded = performance.now();
const api = [...messages];
implementation.cleanOrphanedToolCalls(api);
implementation.simplifyOutdatedTerminalResults(api, { now });
implementation.simplifyHistoricalFileReads(api);
const called = performance.now();
process.stdout.write(JSON.stringify({ loadMs: loaded - start, callMs: called - loaded }));
