// @ts-check
/** Starts a gateway with the options of `run` and `gateway`. */
import { join } from 'node:path';
import { loadInternals } from '../library.mjs';
import { UsageError } from '../option-values.mjs';
import { messageOf } from '../wording.mjs';
import { FactFiles, stateFolder } from './fact-files.mjs';
import { Rewriter } from './rewriter.mjs';
import { Gateway } from './server.mjs';
import { summaryText } from './summary.mjs';
import { readUpstreams } from './upstreams.mjs';

/** Options of both commands. */
export const gatewayOptions = /** @type {const} */ ({
  help: { type: 'boolean', short: 'h' },
  upstream: { type: 'string' },
  'dry-run': { type: 'boolean' },
});

/**
 * @param {import('../command-line.mjs').Values} values @param {number} port 0 for a free one
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {Promise<{ gateway: Gateway, ended: () => Promise<string> }>} `ended` closes it and returns a summary
 * @throws {UsageError}
 */
export async function startGateway(values, port, environment = process.env) {
  const isDry = values['dry-run'] === true;
  const settings = settingsIn(environment);
  const upstreams = readUpstreams(/** @type {string | undefined} */ (values.upstream), environment);
  const folder = stateFolder(environment);
  const records = new FactFiles(folder);
  // Dry runs keep their own facts about what would have been sent; `records` holds what was sent.
  const store = isDry ? new FactFiles(join(folder, 'dry-run')) : records;
  const rewriter = new Rewriter({ settings, records, store, isDry });
  const gateway = new Gateway({ rewriter, upstreams });
  await gateway.listen(port);
  const ended = async () => {
    await gateway.close();
    return summaryText(gateway.counts, rewriter.ledger(), isDry);
  };
  return { gateway, ended };
}

/** @param {NodeJS.ProcessEnv} environment */
function settingsIn(environment) {
  try {
    return loadInternals().gateway.readSettings('the environment', {}, environment);
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}
