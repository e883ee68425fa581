#!/usr/bin/env node
// @ts-check
/**
 * `npm run example:elements [-- plain|react|vue]`: the custom elements on a page of that kind, with the bundled
 * recording, compressed three times. Serves it on loopback until Ctrl-C, and prints the address.
 */
import { ensureBuilt, SetupError } from '../scripts/ensure-built.mjs';

async function main() {
  await ensureBuilt({ dev: true, verbose: process.argv.includes('--verbose') });
  // Imported late, because set-up may have to build it first.
  const { PAGES, servePage } = await import('./elements/serve.mjs');
  const [name = 'plain'] = process.argv.slice(2).filter((word) => !word.startsWith('-'));
  if (!PAGES.includes(name)) {
    console.error(`example:elements: expected one of ${PAGES.join(', ')}; got ${name}`);
    process.exitCode = 2;
    return;
  }
  const { url } = await servePage(name);
  console.log(`${url}  (Ctrl-C ends it)`);
}

main().catch((error) => {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
});
