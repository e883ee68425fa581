// @ts-check
/** Before `npm pack` in a checkout: builds the addon that the tarball holds, where it is missing or out of date. */
import { ensureBuilt, SetupError } from './ensure-built.mjs';

try {
  await ensureBuilt();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`npm pack: ${error.message}\n`);
  process.exitCode = 1;
}
