// @ts-check
/** The example of `ContextView`: costs of a long session with it, with rules at every request, and without. */
import { readFileSync } from 'node:fs';
import { ContextView, prepareMessages, stripForApi } from 'palimpsest';
import { startProvider } from '../provider/provider.mjs';

const recorded = JSON.parse(readFileSync(new URL('../session.json', import.meta.url), 'utf8'));
const BREAK_MS = 30 * 60_000;

/** A morning's work: the recording five times with breaks of half an hour, as one conversation. */
function morning() {
  /** @type {any[]} */
  const messages = Array.isArray(recorded) ? recorded : recorded.messages;
  const times = messages.map(({ timestamp }) => timestamp).filter(Number.isFinite);
  const length = Math.max(...times) - Math.min(...times) + BREAK_MS;
  return Array.from({ length: 5 }, (_, round) =>
    messages.filter(({ role }) => round === 0 || role !== 'system').map((message) => shifted(message, round, length)),
  ).flat();
}

/**
 * A message of a later round, with a later timestamp and other ids.
 * @param {any} message @param {number} round @param {number} length ms
 */
function shifted(message, round, length) {
  const renamed = (/** @type {string} */ id) => `${id}_${round}`;
  return {
    ...message,
    ...(message.timestamp !== undefined && { timestamp: message.timestamp + round * length }),
    ...(message.tool_call_id !== undefined && { tool_call_id: renamed(message.tool_call_id) }),
    ...(message.tool_calls !== undefined && {
      tool_calls: message.tool_calls.map((/** @type {any} */ call) => ({ ...call, id: renamed(call.id) })),
    }),
  };
}

const messages = morning();

/**
 * Sends all requests of the session to its own provider, at the recorded times.
 * @param {(stored: any[], now: number) => any[]} project returns what is sent
 * @param {(usage: any) => void} [observe]
 */
async function play(project, observe) {
  let now = 0;
  const provider = await startProvider({ script: () => undefined, clock: () => now });
  try {
    for (const [index, message] of messages.entries()) {
      if (message.role === 'assistant' && index > 0) {
        const sent = stripForApi(project(messages.slice(0, index), now));
        const body = JSON.stringify({ model: 'agent-large', messages: sent });
        const response = await fetch(`${provider.url}/v1/chat/completions`, { method: 'POST', body });
        const { usage, error } = /** @type {any} */ (await response.json());
        if (error) throw new Error(`request ${provider.requests.length}: ${error.message}`);
        observe?.(usage);
      }
      now = Math.max(now, message.timestamp ?? 0);
    }
    return provider.bill();
  } finally {
    provider.close();
  }
}

/** Prints the cost of each variant. */
export async function compare() {
  const alone = new ContextView({ outdatedBy: 'nothing' });
  const view = new ContextView({ price: 'anthropic' });
  const rows = {
    unmodified: await play((stored, now) => alone.project(stored, { now }).messages),
    'the rules at every request': await play(
      (stored, now) => prepareMessages(stored, { now, orphans: 'answer', textSearch: true }).messages,
    ),
    ContextView: await play(
      (stored, now) => view.project(stored, { now }).messages,
      (usage) => view.observe(usage),
    ),
  };
  const base = rows.unmodified.cost;
  const format = (/** @type {number} */ value) => Math.round(value).toLocaleString('en-US').padStart(12);
  console.log(`${rows.unmodified.requests} requests, prices as Anthropic's with a cache of five minutes\n`);
  console.log(`${''.padEnd(28)}${'cost'.padStart(12)}${''.padStart(8)}${'tokens sent'.padStart(14)}`);
  for (const [name, { cost, tokens }] of Object.entries(rows)) {
    const share = (cost / base).toFixed(2).padStart(8);
    console.log(`${name.padEnd(28)}${format(cost)}${share}${format(tokens).padStart(14)}`);
  }
  const { changes, entries } = view.ledger();
  const reasons = entries.map(({ reason }) => reason).join(', ');
  console.log(`\nThe view changed the prompt ${changes} times: ${reasons}.`);
}
