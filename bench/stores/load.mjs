#!/usr/bin/env node
// @ts-check
/**
 * Load test with faults: `node bench/stores/load.mjs [--conversations 16] [--steps 40] [--only NAME]…`. Faults happen
 * while requests are prepared, and each request is compared with that of a single process without faults. `--namespace`
 * cuts the network in the kernel, in a network namespace of its own, as root: `unshare -n sh -c 'ip link set lo up &&
 * node bench/stores/load.mjs --namespace'`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Network } from '../../__test__/support/network.mjs';
import { serverWithTables } from '../../__test__/support/postgres.mjs';
import { checksOf } from '../../examples/fleet/report.mjs';
import { playAlone, playStored } from '../../examples/fleet/run.mjs';
import { quantile } from '../runner.mjs';

const PROCESSES = 8;
/** Requests between two kills of a process. */
const KILL_EVERY = 40;
/** Duration of a fault. */
const FAULT_MS = 4_000;
const PORT = 5_432;
const DATABASE = { query_timeout: 5_000, connectionTimeoutMillis: 5_000 };
/** An application that waits for the store, and one with the usual options. */
const WAITING = { patient: {}, usual: { storeTimeoutMs: 1_000, maxRetries: 5 } };

const number = /** @type {const} */ ({ type: 'string' });
const { values } = parseArgs({
  options: {
    conversations: number,
    steps: number,
    only: { type: 'string', multiple: true },
    namespace: { type: 'boolean', default: false },
  },
});
const size = { conversations: Number(values.conversations ?? 16), steps: Number(values.steps ?? 40) };

/**
 * @typedef {Awaited<ReturnType<typeof serverWithTables>>} Tables
 * @typedef {{ server: Tables['server'], network: Network }} Place
 * @typedef {(place: Place) => Promise<void>} Fault
 * @typedef {{ faults: Fault[], killEvery?: number }} Scenario `faults` happen one after another, spread over all
 *   requests
 */

/** @param {import('../../__test__/support/network.mjs').State} way @returns {Fault} */
const networkFault = (way) => async (place) => {
  place.network.setState(way);
  await wait(FAULT_MS);
  place.network.setState('open');
};

/** @param {'SIGINT' | 'SIGQUIT'} how @returns {Fault} */
const restart = (how) => async (place) => {
  await place.server.stop(how);
  await wait(1_000);
  await place.server.start();
};

/** Stops all of the server's processes: connections stay open, but nothing responds. @type {Fault} */
async function freeze({ server }) {
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim().split(' ');
  const processes = [server.pid ?? 0, ...children.map(Number)];
  const send = (/** @type {NodeJS.Signals} */ signal) => {
    for (const pid of processes) process.kill(pid, signal);
  };
  send('SIGSTOP');
  await wait(FAULT_MS);
  send('SIGCONT');
}

/** The network forgets all connections. @type {Fault} */
async function forget(place) {
  place.network.forgetConnections();
}

/** Drops every packet. */
async function unplug() {
  execFileSync('ip', ['link', 'set', 'lo', 'down']);
  await wait(FAULT_MS);
  execFileSync('ip', ['link', 'set', 'lo', 'up']);
}

const [restarts, crashes] = [restart('SIGINT'), restart('SIGQUIT')];
const [silent, deaf, cut] = [networkFault('silent'), networkFault('deaf'), networkFault('cut')];
/** @type {Record<string, Scenario>} */
const SCENARIOS = {
  nothing: { faults: [] },
  'processes are killed': { faults: [], killEvery: KILL_EVERY },
  'the server restarts': { faults: [restarts, restarts] },
  'the server crashes': { faults: [crashes, crashes] },
  'the server stands still': { faults: [freeze, freeze] },
  'the network is silent': { faults: [silent, silent] },
  'answers are lost': { faults: [deaf, deaf] },
  'connections are cut': { faults: [cut, cut] },
  'connections are forgotten': { faults: [forget, forget] },
  everything: { faults: [restarts, silent, crashes, deaf, freeze, cut, forget], killEvery: KILL_EVERY },
};

async function main() {
  if (values.namespace) refuseOtherNetworks();
  const scenarios = values.namespace ? { 'lo is down': { faults: [unplug, unplug] } } : SCENARIOS;
  console.error(`one machine, ${size.conversations} conversations of ${size.steps} requests …`);
  const alone = await playAlone(size);
  const tables = await serverWithTables({
    settings: values.namespace ? ['listen_addresses=127.0.0.1'] : [],
  });
  const rows = [];
  try {
    for (const [name, scenario] of Object.entries(scenarios)) {
      if (values.only !== undefined && !values.only.includes(name)) continue;
      for (const [waiting, settings] of Object.entries(WAITING)) {
        console.error(`${name}, ${waiting} …`);
        const row = await underFaults(scenario, settings, alone, tables);
        rows.push([name, waiting, ...Object.values(row)]);
        if (rows.length === 1) console.log(line(['fault', 'host', ...Object.keys(row)]));
        console.log(line(rows.at(-1) ?? []));
      }
    }
  } finally {
    await tables.end();
  }
}

/** @param {readonly unknown[]} cells */
const line = (cells) => `| ${cells.join(' | ')} |`;

/**
 * Plays one scenario.
 * @param {Scenario} scenario
 * @param {object} settings
 * @param {Awaited<ReturnType<typeof playAlone>>} alone
 * @param {Tables} tables
 */
async function underFaults({ faults, ...rest }, settings, alone, { server, pool, admin }) {
  const network = new Network(join(server.folder, '.s.PGSQL.5432'));
  const database = { ...DATABASE, ...(values.namespace ? { host: '127.0.0.1', port: PORT } : await network.listen()) };
  const plan = {
    ...size,
    ...rest,
    processes: PROCESSES,
    faults: faults.map((fault, index) => ({
      at: (index + 1) / (faults.length + 1),
      run: () => fault({ server, network }),
    })),
  };
  const tenant = `${performance.now()}`;
  try {
    const stored = await playStored(plan, pool, { ...settings, tenant, database });
    const { fleet, restored } = stored;
    const [lost, differing, , , damaged, changes] = checksOf({ ...size, alone, ...stored }).map(({ found }) => found);
    const times = fleet.requests.map(({ sent }) => sent.tookMs);
    const ms = (/** @type {number} */ share) => Math.round(quantile(times, share));
    return {
      requests: fleet.requests.length,
      kills: fleet.kills,
      lost,
      'messages archived twice': await archivedTwice(admin, tenant),
      damaged,
      'come back whole': `${restored} of ${size.conversations}`,
      'went on without': fleet.events.filter(({ did }) => did === 'went_on_without').length,
      'other bytes': differing,
      'more changes': changes,
      'p50 ms': ms(0.5),
      'p95 ms': ms(0.95),
      'longest ms': ms(1),
    };
  } finally {
    network.close();
  }
}

/** @param {Tables['admin']} admin @param {string} tenant @returns {Promise<number>} */
async function archivedTwice(admin, tenant) {
  const { rows } = await admin.query(
    `SELECT count(*)::int AS doubled FROM (SELECT FROM palimpsest.messages WHERE tenant = $1
      GROUP BY conversation, json HAVING count(*) > 1) twice`,
    [tenant],
  );
  return rows[0].doubled;
}

/** Throws unless the network namespace is one that nothing else uses. */
function refuseOtherNetworks() {
  const interfaces = readFileSync('/proc/net/dev', 'utf8').split('\n').slice(2);
  const names = interfaces.map((text) => text.split(':')[0]?.trim());
  if (names.every((name) => !name || name === 'lo')) return;
  throw new Error('expected a namespace without a network: the first lines of this file say how');
}

await main();
