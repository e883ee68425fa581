// @ts-check
/**
 * `npm run fuzz -- 10`: fuzzes the package for the given number of minutes; exit code 1 if it finds anything.
 *
 *   npm run fuzz -- 10                                  all campaigns at once, 10 minutes
 *   npm run fuzz -- 10 --campaign archives              a single campaign; repeat `--campaign` for several
 *   npm run fuzz -- --campaign sessions --seed 1234     a single case again, with its full output
 *
 * Progress goes to stderr, the table of counts to stdout. Ctrl-C ends the run and prints the table so far.
 */
import { parseArgs } from 'node:util';
import { markdownTable } from '../bench/runner.mjs';
import { ensureBuilt } from '../scripts/ensure-built.mjs';
import { Campaign } from './campaign.mjs';

const CAMPAIGNS = ['sessions', 'values', 'archives', 'texts', 'views', 'properties'];
const PROGRESS_MS = 10_000;

/** @param {string} line */
const announce = (line) => process.stderr.write(`${line}\n`);

/** @returns {{ minutes: number, campaigns: string[], seed: number | undefined }} */
function readArguments() {
  const { positionals, values } = parseArgs({
    options: { campaign: { type: 'string', multiple: true }, seed: { type: 'string' } },
    allowPositionals: true,
  });
  const campaigns = values.campaign ?? CAMPAIGNS;
  const unknown = campaigns.filter((name) => !CAMPAIGNS.includes(name));
  if (unknown.length > 0) throw new RangeError(`--campaign: expected one of ${CAMPAIGNS.join(', ')}, got ${unknown}`);
  const minutes = Number(positionals[0] ?? 1);
  if (!(minutes > 0)) throw new RangeError(`expected a number of minutes, got ${positionals[0]}`);
  const seed = values.seed === undefined ? undefined : Number(values.seed);
  if (seed !== undefined && !Number.isSafeInteger(seed)) {
    throw new RangeError(`--seed: expected a whole number, got ${values.seed}`);
  }
  return { minutes, campaigns, seed };
}

/** @param {readonly Campaign[]} campaigns */
function table(campaigns) {
  const rows = campaigns.map(({ name, cases, findings, counts }) => {
    const sorted = Object.entries(counts).sort(([, one], [, other]) => other - one);
    const notes = sorted.map(([what, count]) => `${count} ${what}`);
    return [name, cases, findings.size, notes.join(', ')];
  });
  return markdownTable(['campaign', 'cases', 'findings', 'of which'], rows);
}

/** Findings of all campaigns: number of occurrences, and the command that reproduces each. @param {readonly Campaign[]} campaigns */
function list(campaigns) {
  for (const { name, findings } of campaigns) {
    for (const { message, seeds, times, detail } of findings.values()) {
      announce(`\n${name}: ${message}\n  ${times} times; seeds ${seeds.join(', ')}`);
      announce(`  npm run fuzz -- --campaign ${name} --seed ${seeds[0]}`);
      if (detail !== '') announce(detail.replace(/^/gm, '    '));
    }
  }
}

/** Reports new findings at once, so that nobody waits an hour for them. @param {readonly Campaign[]} campaigns @param {Set<object>} reported */
function reportNew(campaigns, reported) {
  for (const { name, findings } of campaigns) {
    for (const finding of [...findings.values()].filter((found) => !reported.has(found))) {
      reported.add(finding);
      announce(`fuzz: found: ${finding.message}\n  npm run fuzz -- --campaign ${name} --seed ${finding.seeds[0]}`);
    }
  }
}

/** @returns {Promise<number>} exit code */
async function main() {
  const { minutes, campaigns: names, seed } = readArguments();
  await ensureBuilt({ dev: true });
  // A new seed each time, to try new cases.
  const first = seed ?? Date.now() % 1_000_000_000;
  const milliseconds = seed === undefined ? minutes * 60_000 : 0;
  const campaigns = names.map((name) => new Campaign(name, first, milliseconds));
  announce(`fuzz: ${names.join(', ')} for ${minutes} min, seeds from ${first}`);
  process.once('SIGINT', () => {
    announce('\nfuzz: stopped; this is what was done');
    for (const campaign of campaigns) campaign.stop();
  });
  const reported = new Set();
  const progress = setInterval(() => {
    reportNew(campaigns, reported);
    const state = campaigns.map(({ name, cases, findings }) => `${name} ${cases} (${findings.size})`);
    announce(`fuzz: cases (findings): ${state.join(', ')}`);
  }, PROGRESS_MS);
  await Promise.all(campaigns.map((campaign) => campaign.run()));
  clearInterval(progress);
  list(campaigns);
  process.stdout.write(`${table(campaigns)}\n`);
  return campaigns.some(({ findings }) => findings.size > 0) ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  announce(`npm run fuzz: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
