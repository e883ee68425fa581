// @ts-check
/**
 * Prepares `npm pack` in a checkout: builds the library's addon and the elements' bundle if they are missing or out of
 * date, and always `library/`.
 */
import { bundleLibrary } from './bundle-library.mjs';
import { bundleElements, isBundled } from './bundle-ui.mjs';
import { ensureBuilt } from './ensure-built.mjs';
import { runProgram } from './run-program.mjs';

await runProgram('npm pack', async () => {
  await ensureBuilt({ release: true, cli: false });
  if (!isBundled()) await bundleElements();
  bundleLibrary();
});
