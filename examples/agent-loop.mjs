#!/usr/bin/env node
// @ts-check
/**
 * `npm run example:agent`: a small agent with a scripted model and real commands. It goes through several compressions
 * and one truncation in a context window of a few thousand tokens, and restores its whole history.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, SetupError } from '../scripts/ensure-built.mjs';

async function main() {
  await ensureBuilt({ cli: true, verbose: process.argv.includes('--verbose') });
  // Imported late, because set-up may have to build it first.
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
