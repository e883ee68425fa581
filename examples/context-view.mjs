#!/usr/bin/env node
// @ts-check
/**
 * `npm run example:context-view`: the bundled recording, sent request by request to a mock provider on loopback that bills
 * like a prompt cache and refuses what a strict provider would: as it is stored, with the rules at every request, and with
 * a `ContextView`.
 */
import { ensureBuilt, SetupError } from '../scripts/ensure-built.mjs';

async function main() {
  await ensureBuilt({ verbose: process.argv.includes('--verbose') });
  // Loaded only now: there may have been nothing to load before.
  const { compare } = await import('./context-view/compare.mjs');
  await compare();
}

main().catch((error) => {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
});
