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
  const words = process.argv.slice(2);
  await ensureBuilt({ dev: true, verbose: words.includes('--verbose') });
  // Imported late, because set-up may have to build it first.
  const { HOSTS, makeHost } = await import('./host-folder.mjs');
  const { reportOf, runHost } = await import('./run-host.mjs');
  const wanted = HOSTS.filter((host) => words.includes(host));
  for (const host of wanted.length > 0 ? wanted : HOSTS) {
    const folder = mkdtempSync(join(realpathSync(tmpdir()), `palimpsest-${host}-`));
    try {
      makeHost(host, folder, { changed: !words.includes('--before') });
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
