#!/usr/bin/env node
// @ts-check
/**
 * `npm run example:agent`: a small agent with a scripted model and real commands runs through several compressions
 * and a truncation in a window of a few thousand tokens, and gets its whole history back.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, SetupError } from '../scripts/ensure-built.mjs';

async function main() {
  await ensureBuilt({ verbose: process.argv.includes('--verbose') });
  // Loaded only now: there may have been nothing to load before.
  const { runExample } = await import('./agent-loop/loop.mjs');
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'palimpsest-agent-'));
  try {
    if (!(await runExample(folder))) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`npm run example:agent: ${error.message}\n`);
  process.exitCode = 1;
}
