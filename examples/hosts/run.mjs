#!/usr/bin/env node
// @ts-check
/**
 * `npm run example:hosts -- [name] [--before]`: runs three small applications against a mock model on loopback, each
 * with its `palimpsest.diff` applied; `--before` runs the originals.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, SetupError } from '../../scripts/ensure-built.mjs';

async function main() {
  const args = process.argv.slice(2);
  await ensureBuilt({ dev: true, verbose: args.includes('--verbose') });
  // Imported late, because set-up may have to build it first.
  const { HOSTS, makeHost } = await import('./host-folder.mjs');
  const { reportOf, runHost } = await import('./run-host.mjs');
  const chosen = HOSTS.filter((host) => args.includes(host));
  for (const host of chosen.length > 0 ? chosen : HOSTS) {
    const folder = mkdtempSync(join(realpathSync(tmpdir()), `palimpsest-${host}-`));
    try {
      makeHost(host, folder, { changed: !args.includes('--before') });
      const ended = await runHost(host, folder);
      process.stdout.write(`${reportOf(host, ended)}\n`);
      if (ended.code !== 0) process.exitCode = 1;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`npm run example:hosts: ${error.message}\n`);
  process.exitCode = 1;
}
