// @ts-check
/**
 * Delays that a user notices: `npm run bench -- --only felt`. CPU time, minimum of several rounds, for a server with
 * many conversations, long sessions and large texts. Inputs are generated, so no recordings are needed.
 */
import { createRequire } from 'node:module';
import { seeded } from './promise/random.mjs';
import { cpuMs, rowOf, within } from './runner.mjs';

const product = createRequire(import.meta.url)('palimpsest');

export const title = 'What a user waits for';

const { AutoCompressionManager, ContextView, ContextViews, TokenCounter } = product;
const { contextPicture, prepareMessages, renderCompressionHistory, truncateOutput } = product;

/** @typedef {import('./runner.mjs').Row} Row */

const START = Date.UTC(2026, 9, 1);

/**
 * Minimum CPU time.
 * @param {number} rounds @param {() => unknown} work @param {() => void} [prepare] @returns {number} milliseconds
 */
function least(rounds, work, prepare = () => {}) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    prepare();
    const start = cpuMs();
    work();
    best = Math.min(best, cpuMs() - start);
  }
  return best;
}

/** @param {number} rounds @param {() => Promise<unknown>} work @returns {Promise<number>} milliseconds */
async function leastAwaited(rounds, work) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = cpuMs();
    await work();
    best = Math.min(best, cpuMs() - start);
  }
  return best;
}

/** @param {string} work @param {number} ms @param {number} most the goal, ms @returns {Row} */
function row(work, ms, most) {
  return rowOf(work, { product: [ms] }, [within(most)]);
}

/** A conversation that reads files. @param {number} messages @param {number} [seed] @returns {any[]} */
function conversation(messages, seed = 1) {
  /** @type {any[]} */ const written = [{ role: 'user', content: 'Fix what is broken.' }];
  for (let turn = 0; written.length < messages; turn++) {
    const id = `call_${turn}`;
    const lines = Array.from(
      { length: 24 },
      (_, line) => `${line + 1}\tconst value${line} = ${(line * seed + turn) % 1_000_003};`,
    );
    const input = JSON.stringify({ file_path: `src/${turn}.ts` });
    written.push(
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'Read', arguments: input } }],
      },
      { role: 'tool', tool_call_id: id, content: lines.join('\n') },
    );
  }
  return written;
}

/** One request each for some of `held` conversations with the same beginning, with copies of all messages. @param {number} held @returns {Row} */
function server(held) {
  const views = new ContextViews({ maxViews: held });
  const conversations = Array.from({ length: held }, (_, index) => conversation(20, index + 1));
  for (const messages of conversations) views.project(messages);
  const requests = Math.min(held, 400);
  /** @type {any[]} */ let copies = [];
  let first = 0;
  const extend = () => {
    const chosen = Array.from({ length: requests }, () => {
      const messages = /** @type {any[]} */ (conversations[(first++ * 7_919) % held]);
      messages.push({ role: 'assistant', content: `It is value ${first}.` }, { role: 'user', content: 'Go on.' });
      return messages;
    });
    copies = structuredClone(chosen);
  };
  const work = () => {
    for (const messages of copies) views.project(messages);
  };
  const ms = least(10, work, extend) / requests;
  return row(`a request, ${held} conversations held that begin alike`, ms, 0.06);
}

/** @param {number} messages @param {number} most @returns {Row} */
function firstProject(messages, most) {
  const stored = conversation(messages);
  return row(
    `first sight of ${messages} messages`,
    least(20, () => new ContextView().project(stored)),
    most,
  );
}

/** The longest time for which `prepare` of a new conversation blocks the event loop. @param {number} messages @returns {Promise<Row>} */
async function longestBlock(messages) {
  const stored = conversation(messages).map((message, index) => ({ ...message, timestamp: START + index }));
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    let [longest, last] = [0, cpuMs()];
    const note = () => {
      longest = Math.max(longest, cpuMs() - last);
      last = cpuMs();
      next = setImmediate(note);
    };
    let next = setImmediate(note);
    await new ContextView().prepare(stored, { now: START + messages });
    clearImmediate(next);
    best = Math.min(best, Math.max(longest, cpuMs() - last));
  }
  return row(`event loop blocked by prepare of ${messages} new messages`, best, 50);
}

/** `prepare` of the same messages again, compared with `project`. @param {number} messages @returns {Promise<Row>} */
async function secondPrepare(messages) {
  // Applications add fields of their own.
  const stored = conversation(messages).map((message, index) => ({ ...message, timestamp: START + index }));
  const [projecting, preparing] = [new ContextView(), new ContextView()];
  const options = { now: START + messages };
  const calls = Math.max(10, 20_000 / messages);
  const project = () => {
    for (let call = 0; call < calls; call++) projecting.project(stored, options);
  };
  const prepare = async () => {
    for (let call = 0; call < calls; call++) await preparing.prepare(stored, options);
  };
  const ms = (await leastAwaited(12, prepare)) / calls;
  const most = (1.5 * least(12, project)) / calls;
  const goals = [{ text: `≤ 1.5 × project, ${most.toFixed(3)} ms`, met: ms <= most }];
  return { work: `prepare with nothing new, ${messages} messages`, times: { product: ms }, goals };
}

/** @param {number} messages @returns {Promise<Row>} */
async function cut(messages) {
  const manager = new AutoCompressionManager({ maxContextTokens: 200_000 }, () => '');
  const all = Array.from({ length: 5 }, () => conversation(messages));
  const ms = await leastAwaited(all.length, () => manager.process(all.pop()));
  return row(`AutoCompressionManager.process cuts ${messages} messages`, ms, 50);
}

/** Answers in Chinese take longest: each character has its own width. @param {number} messages @returns {Row} */
function rendered(messages) {
  const stored = conversation(messages).flatMap((message, index) =>
    index % 4 === 0 ? [message, { role: 'assistant', content: SENTENCE.repeat(8) }] : [message],
  );
  return row(
    `renderCompressionHistory of ${stored.length} messages`,
    least(5, () => renderCompressionHistory(stored)),
    50,
  );
}

/** @param {string} name @param {string} text @param {number} most @returns {Row} */
function count(name, text, most) {
  const counter = new TokenCounter();
  return row(
    `count 8 M units of ${name}`,
    least(3, () => counter.count(text)),
    most,
  );
}

/**
 * A generated text.
 * @param {(random: () => number) => string} next its next piece @param {number} units UTF-16 units
 */
function text(next, units) {
  const random = seeded(7);
  let written = '';
  while (written.length < units) written += next(random);
  return written;
}

const SENTENCE =
  '人工智能的发展正在改变我们的生活方式，包括教育、医疗和交通等各个领域。研究人员认为，未来十年将是关键时期；';

/** The clauses of a sentence in random order. @param {() => number} random */
function clause(random) {
  const clauses = SENTENCE.split(/(?<=[，。；、])/);
  return clauses[Math.floor(random() * clauses.length)] ?? '';
}

/** @param {() => number} random */
function base64(random) {
  return Buffer.from(Array.from({ length: 48 }, () => Math.floor(random() * 256))).toString('base64');
}

/** Messages with calls that have no result. @param {number} calls @returns {any[]} */
function unanswered(calls) {
  const call = (/** @type {number} */ index) => ({
    id: `c${index}`,
    type: 'function',
    function: { name: 'bash', arguments: '{}' },
  });
  return [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: null, tool_calls: Array.from({ length: calls }, (_, index) => call(index)) },
    { role: 'user', content: 'and?' },
  ];
}

/** @param {{ quick: boolean, progress: (work: string) => void }} run @returns {AsyncGenerator<Row>} */
export async function* rows({ quick, progress }) {
  const scale = quick ? 100 : 1;
  progress('servers');
  for (const held of quick ? [8] : [64, 256, 768, 10_000]) yield server(held);
  progress('long sessions');
  yield firstProject(1_000 / scale, 15);
  yield firstProject(5_000 / scale, 80);
  yield await longestBlock(10_000 / scale);
  for (const messages of quick ? [20] : [100, 1_000, 10_000]) yield await secondPrepare(messages);
  const stored = conversation(5_000 / scale);
  const view = new ContextView();
  view.project(stored);
  yield row(
    'project with nothing new, 5,000 messages',
    least(20, () => view.project(stored)),
    1,
  );
  yield row(
    'contextPicture of 5,000 messages',
    least(3, () => contextPicture(view, stored)),
    50,
  );
  yield await cut(5_000 / scale);
  yield rendered(4_000 / scale);
  yield row(
    'export after 5,000 messages',
    least(3, () => view.export()),
    50,
  );
  const many = unanswered(32_000 / scale);
  yield row(
    '32,000 unanswered calls in a message',
    least(3, () => prepareMessages(many)),
    100,
  );
  const reads = conversation(200_000 / scale);
  yield row(
    '100,000 reads',
    least(1, () => prepareMessages(reads)),
    1_000,
  );
  progress('large texts');
  const units = 8_000_000 / scale;
  yield count('Chinese', text(clause, units), 600);
  yield count('base64', text(base64, units), 200);
  yield count(
    'code',
    text(() => 'const value = compute(index, 42);\n', units),
    100,
  );
  const log = text(
    (random) => `${random() < 0.01 ? 'error: it failed' : 'ok'} ${Math.floor(random() * 1e6)} in a line\n`,
    units,
  );
  yield row(
    'truncateOutput of 8 MB, keep: errors',
    least(3, () => truncateOutput(log, { limit: 30_000, keep: 'errors' })),
    50,
  );
}
