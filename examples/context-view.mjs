#!/usr/bin/env node
// @ts-check
/**
 * `npm run example:context-view`: sends the bundled recording, request by request, to a strict mock provider on
 * loopback that bills like a prompt cache: as stored, with the rules applied at every request, and with a
 * `ContextView`.
 */
import { ensureBuilt, SetupError } from '../scripts/ensure-built.mjs';

async function main() {
  await ensureBuilt({ verbose: process.argv.includes('--verbose') });
  // Imported late, because set-up may have to build it first.
  const { compare } = await import('./context-view/compare.mjs');
  await compare();
}

main().catch((error) => {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
});
