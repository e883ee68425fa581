// @ts-check
/**
 * Time of `AutoCompressionManager.process` with long conversations: nothing to do, a summary, a cut at the hard limit.
 */
import { createRequire } from 'node:module';
import { rowOf } from './runner.mjs';

export const title = 'Compression of long conversations';

/** @type {typeof import('palimpsest')} */
const { AutoCompressionManager } = createRequire(import.meta.url)('palimpsest');
const MESSAGES = 1_100;
const SUMMARY = '## Goal\nx\n## Decisions\nx\n## Done\nx\n## Open\nx\n## Files\nx\n## Failed attempts\nx';

/** A session of user turns with four tool calls each and results of 2 KB. */
function session() {
  /** @type {any[]} */
  const messages = [{ role: 'system', content: 'You are a coding agent.' }];
  for (let n = 0; messages.length < MESSAGES; n++) {
    if (n % 5 === 0)
      messages.push({ role: 'user', content: `Now mend part ${n} of the parser, and say what you did.` });
    const call = { id: `call_${n}`, function: { name: 'Read', arguments: `{"file_path":"src/part-${n}.ts"}` } };
    messages.push({ role: 'assistant', content: '', tool_calls: [call] });
    messages.push({ role: 'tool', tool_call_id: call.id, content: `line ${n} of a source file\n`.repeat(80) });
  }
  return messages;
}

/**
 * Times of `work`, ms, after two rounds that don't count.
 * @param {number} rounds
 * @param {() => any} prepare
 * @param {(input: any) => Promise<unknown>} work
 */
async function timesOf(rounds, prepare, work) {
  const taken = [];
  for (let round = -2; round < rounds; round++) {
    const input = prepare();
    const start = performance.now();
    await work(input);
    if (round >= 0) taken.push(performance.now() - start);
  }
  return taken;
}

/**
 * The model replies immediately, so only the product's own time is measured.
 * @param {{ quick: boolean, progress: (work: string) => void }} run
 * @returns {AsyncGenerator<import('./runner.mjs').Row>}
 */
export async function* rows({ quick, progress }) {
  const rounds = quick ? 5 : 40;
  const settings = { autoCompressionSummaryModel: 'gpt-4o-mini', maxContextTokens: 10_000_000 };
  const idle = new AutoCompressionManager(settings, () => SUMMARY);
  const growing = session();
  await idle.process(growing);
  const cases = {
    [`process, nothing to do, ${MESSAGES} messages and one new`]: {
      prepare: () => {
        growing.push({ role: 'user', content: `and ${growing.length}` });
        return growing;
      },
      manager: idle,
    },
    [`process, ${MESSAGES} messages become a summary`]: {
      prepare: session,
      manager: new AutoCompressionManager({ ...settings, maxContextTokens: 200_000 }, () => SUMMARY),
    },
    [`process, ${MESSAGES} messages cut at the hard limit`]: {
      prepare: session,
      manager: new AutoCompressionManager({ maxContextTokens: 200_000 }, () => SUMMARY),
    },
  };
  for (const [work, { prepare, manager }] of Object.entries(cases)) {
    progress(work);
    yield rowOf(work, { product: await timesOf(rounds, prepare, (messages) => manager.process(messages)) });
  }
}
