// @ts-check
/** Prepares `npm pack` in a checkout: builds the library's addon and the elements' bundle if they are missing or out of date, and always the rooms. */
import { bundleRooms } from './bundle-rooms.mjs';
import { bundleElements, isBundled } from './bundle-ui.mjs';
import { ensureBuilt, SetupError } from './ensure-built.mjs';

try {
  await ensureBuilt({ release: true, cli: false });
  if (!isBundled()) await bundleElements();
  bundleRooms();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`npm pack: ${error.message}\n`);
  process.exitCode = 1;
}
