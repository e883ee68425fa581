// @ts-check
/** Starts a gateway with the options of `run` and `gateway`, and says at its end what the requests cost. */
import { join } from 'node:path';
import { loadInternals } from '../library.mjs';
import { orUsageError } from '../option-values.mjs';
import { plural, tokensText } from '../wording.mjs';
import { FactFiles, stateFolder } from './fact-files.mjs';
import { Rewriter } from './rewriter.mjs';
import { Gateway } from './server.mjs';
import { readUpstreams } from './upstreams.mjs';

export const gatewayOptions = { help: Boolean, upstream: String, 'dry-run': Boolean };

/** @param {import('../command-line.mjs').Values} values @throws {import('../option-values.mjs').UsageError} */
export async function startGateway(values) {
  const isDry = values['dry-run'] === true;
  const settings = orUsageError(() => loadInternals().gateway.readSettings('the environment', {}, process.env));
  const upstreams = readUpstreams(values.upstream, process.env);
  const folder = stateFolder(process.env);
  const sentFacts = new FactFiles(folder);
  const viewFacts = isDry ? new FactFiles(join(folder, 'dry-run')) : sentFacts;
  const rewriter = new Rewriter({ settings, sentFacts, viewFacts, isDry });
  const gateway = new Gateway({ rewriter, upstreams });
  await gateway.listen(values.port ?? 0);
  const closeAndSummarise = async () => {
    await gateway.close();
    return summaryText(gateway.counts, rewriter.ledger(), isDry);
  };
  return { baseUrls: gateway.baseUrls, closeAndSummarise };
}

/**
 * What a run cost, in two lines; a third says how many requests were forwarded without being understood.
 * @param {import('./server.mjs').Counts} counts
 * @param {{ cost: number, costLeftAlone: number }} ledger in tokens at the price of input @param {boolean} isDry
 */
function summaryText({ requests, changed, passed }, { cost, costLeftAlone }, isDry) {
  if (requests === 0) return 'palimpsest: no request for an answer came through the gateway\n';
  const [paid, other] = isDry ? [costLeftAlone, cost] : [cost, costLeftAlone];
  const treatment = isDry ? 'all sent on untouched' : `${changed} with results left out or a breakpoint set`;
  const share = costLeftAlone > 0 ? 1 - cost / costLeftAlone : 0;
  const saved = `${Math.abs(share * 100).toFixed(1)} % ${share < 0 ? 'more' : 'less'}`;
  const lines = [
    `${plural(requests, 'request')}, ${treatment}; prompts cost ${tokensText(paid)} tokens at the price of input`,
    isDry
      ? `with outdated results left out they would have cost ${tokensText(other)} (${saved})`
      : `with nothing left out they would have cost ${tokensText(other)} (this was ${saved})`,
  ];
  const reasons = [...passed].map(([reason, count]) => `${count} ${reason}`);
  if (reasons.length > 0) lines.push(`sent on as they came, and not in these sums: ${reasons.join(', ')}`);
  return lines.map((line) => `palimpsest: ${line}\n`).join('');
}
