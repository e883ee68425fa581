// @ts-check
/** The current request after cuts and summaries, in the messages that are sent to the model. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { runs } from '../../support/comparison.mjs';
import { assertPairs, countTokens, pairing } from '../../support/compressed-host.mjs';
import {
  configuration,
  exchange,
  expandHistory,
  FULL,
  failingModel,
  filler,
  managerWith,
  NOW,
  noticeIn,
  parallelExchanges,
  processed,
  scripted,
  session,
  stripForApi,
  summary,
  summaryIn,
  TASK,
  tokensOf,
  WINDOW,
} from '../../support/compression.mjs';
import { testEachSession } from '../../support/corpus.mjs';
import { prose, Scribe, turn } from '../../support/random-sessions.mjs';

const LIMIT = WINDOW * 0.95;
/** Calls and their results, one after the other. @param {number} count @param {number} words */
const serialExchanges = (count, words) => Array.from({ length: count }, (_, number) => exchange(number, words)).flat();
/** The texts of a message that the user wrote. @param {any} message @returns {string[]} */
const userTexts = ({ role, content, isCompressed }) => {
  if (role !== 'user' || isCompressed) return [];
  const parts = Array.isArray(content) ? content.map((part) => part.text) : [content];
  return parts.filter((text) => typeof text === 'string' && text.trim() !== '');
};
/** @param {readonly any[]} messages */
const emptyTextCount = (messages) =>
  messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter(({ text }) => text === '').length;

describe('R7.11 the current request', () => {
  it('R7.11 if a cut removes the summary that quotes the current request, the notice quotes it', async () => {
    const messages = session(FULL, { task: TASK });
    // Thinking can't be shortened, so the summary is removed instead.
    const [call, result] = exchange(700);
    messages.push({ ...call, reasoning_content: filler(1_600) }, result);
    const config = configuration({ autoCompressionKeepRecentCount: 2 });
    const { types } = await processed(messages, { config, model: scripted(summary().replace(/none/g, filler(60))) });
    assert.deepEqual(
      types().filter((type) => type === 'compressed' || type === 'truncated'),
      ['compressed', 'truncated'],
    );
    assert.equal(summaryIn(messages), undefined);
    const { content } = noticeIn(messages);
    assert.equal(content.split(TASK).length, 2, `not quoted once: ${content}`);
    assert.match(content, /still being worked on/);
    assert.ok(tokensOf(messages) <= LIMIT);
    // The next cut reads the request from the record.
    messages.push(...exchange(701, 900));
    await processed(messages, { config, model: failingModel() });
    assert.match(noticeIn(messages).content, new RegExp(TASK));
  });

  const NEWEST = 'And now run all suites.\nTell me which of them fail.';
  for (const [name, messages] of /** @type {[string, any[]][]} */ ([
    ['ten parallel calls', parallelExchanges(10, 900)],
    ['120 serial calls', serialExchanges(120, 60)],
  ])) {
    it(`R7.11 a cut after ${name} keeps the current request, quotes the first one, and keeps calls with their results`, async () => {
      const history = [...session(900), { role: 'user', content: NEWEST }, ...messages];
      const { messages: after, before } = await processed(history, { model: failingModel() });
      const sent = stripForApi(after);
      assert.equal(sent.filter(({ content }) => content === NEWEST).length, 1);
      assert.ok(noticeIn(after).content.includes(TASK) && !noticeIn(after).content.includes('run all suites'));
      assert.ok(tokensOf(sent) <= LIMIT);
      assertPairs(sent, before);
      assert.deepEqual(expandHistory(after), before);
    });
  }

  for (const [kind, exchanges] of /** @type {[string, any[]][]} */ ([
    ['parallel', parallelExchanges(20, 190)],
    ['serial', serialExchanges(20, 190)],
  ])) {
    it(`R7.11 twenty results of ${kind} calls that exceed the window together are shortened, and none is removed`, async () => {
      const { messages, before } = await processed([...session(30), ...exchanges], { model: failingModel() });
      const results = messages.filter(({ role }) => role === 'tool');
      assert.equal(results.length, 20);
      assert.ok(results.every(({ content }) => content.length > 100));
      assert.equal(noticeIn(messages), undefined);
      assert.deepEqual(expandHistory(messages), before);
    });
  }

  it('R7.11 a request larger than the window is shortened to its beginning and end', async () => {
    const content = `BEGIN ${filler(6_000)} END`;
    const { messages } = await processed([...session(300), { role: 'user', content }], { model: failingModel() });
    const request = messages.at(-1).content;
    assert.ok(request.startsWith('BEGIN') && request.endsWith('END') && tokensOf(messages) <= LIMIT);
  });

  it('R7.11 a message of a long log and a question keeps the whole question and a shortened log', async () => {
    const content = [
      { type: 'text', text: 'log line\n'.repeat(9_000) },
      { type: 'text', text: 'Why does worker 3 stop?' },
    ];
    const { messages, before } = await processed([...session(300), { role: 'user', content }], {
      model: failingModel(),
    });
    const [log, question] = messages.at(-1).content;
    assert.equal(question.text, 'Why does worker 3 stop?');
    assert.ok(log.text.length > 1_000 && log.text.length < 40_000);
    assert.deepEqual(expandHistory(messages), before);
  });

  it('R7.11 a shortened result keeps its error lines', async () => {
    const noise = 'compiling something that is fine\n'.repeat(900);
    const messages = [...session(300), ...exchange(1)];
    messages.at(-1).content = `$ make\n${noise}src/a.c:3: error: no such port\n${noise}done`;
    await processed(messages, { model: failingModel() });
    assert.ok(messages.at(-1).content.includes('src/a.c:3: error: no such port'));
  });

  it('R7.7 a current request that is long or has an image is repeated as a message after its summary', async () => {
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(400)}` } };
    for (const task of [`${TASK}\n${filler(200, 'detail')}`, [{ type: 'text', text: TASK }, image]]) {
      const { messages, before } = await processed(session(undefined, { task: /** @type {any} */ (task) }));
      const requests = stripForApi(messages).filter((/** @type {any} */ { content }) =>
        isDeepStrictEqual(content, task),
      );
      assert.ok(summaryIn(messages));
      assert.equal(requests.length, 1);
      assert.deepEqual(expandHistory(messages), before);
    }
  });

  for (const [language, line] of [
    ['en', `(The user's current request, still being worked on: ${TASK})`],
    ['zh', `（用户当前的请求，仍在进行：${TASK}）`],
  ]) {
    it(`R7.7 the second line of each summary quotes a short current request, and later a newer one (${language})`, async () => {
      const options = { language };
      const { messages, manager } = await processed(session(), { options });
      const secondLine = () => summaryIn(messages).content.split('\n')[2];
      for (let round = 1; round <= 3; round++) {
        assert.equal(secondLine(), line);
        assert.equal(manager.stats().compressed, round);
        messages.push(...session(undefined, { from: 100 * round }).slice(2));
        await manager.process(messages, { now: NOW + round });
      }
      messages.push({ role: 'user', content: 'Now the other page.' }, ...session(FULL, { from: 900 }).slice(2));
      await manager.process(messages, { now: NOW + 9 });
      assert.equal(secondLine(), line.replace(TASK, 'Now the other page.'));
      assert.equal(summaryIn(messages).content.split(line.slice(0, 9)).length, 2, 'the summary quotes two requests');
    });
  }
});

describe('R7.6 the digest after a cut', () => {
  it('R7.6 the notice names written files, and the next summary has them and the first request in its digest', async () => {
    const edit = exchange(1);
    edit[0].tool_calls[0].function = { name: 'edit_file', arguments: '{"path":"src/login.ts"}' };
    const messages = [
      ...session(10),
      ...edit,
      { role: 'user', content: 'Now the other page, please.' },
      ...serialExchanges(100, 60),
    ];
    const model = scripted(new Error('away'), summary());
    const { manager } = await processed(messages, { model });
    const { content, compression } = noticeIn(messages);
    assert.ok(content.includes('src/login.ts'), content);
    assert.deepEqual(compression.digest.files.written, ['src/login.ts']);
    assert.equal(compression.digest.requests.first, TASK);
    messages.push({ role: 'user', content: 'And a third one.' }, ...session(1_500, { from: 900 }).slice(2));
    await manager.process(messages, { now: NOW + 1 });
    const { digest } = summaryIn(messages).compression;
    assert.equal(digest.requests.first, TASK);
    assert.deepEqual(digest.files.written, ['src/login.ts']);
    assert.ok(summaryIn(messages).content.includes('src/login.ts'));
  });
});

describe('R7.10 large messages', () => {
  it('R7.10 messages of 1 % to 20 % of the window each are summarised, with at most one request for two, and never cut', async () => {
    for (const share of [0.01, 0.05, 0.078, 0.1, 0.15, 0.2]) {
      const config = configuration({ maxContextTokens: 20_000, autoCompressionKeepRecentCount: undefined });
      const model = scripted(summary('repair the login page, keep the port at 8443, and run all the suites again'));
      const { manager, calls } = managerWith({ config, model });
      const messages = session(10);
      const rounds = 120;
      for (let at = 0; at < rounds; at++) {
        messages.push({ role: at % 2 ? 'user' : 'assistant', content: `${at} ${'word '.repeat(20_000 * share - 8)}` });
        await manager.process(messages, { now: NOW + at });
      }
      const { truncated, compressed } = manager.stats();
      assert.equal(truncated, 0, `${share}: ${truncated} truncations, ${compressed} compressions`);
      assert.ok(calls.length <= rounds / 2 + 1, `${share}: ${calls.length} calls`);
    }
  });
});

describe('EDGE 6 impossible usage', () => {
  it('EDGE 6 a usage of 4 tokens for a full window triggers compression, and usage_doubted is logged once', async () => {
    const messages = session();
    messages.push({ role: 'assistant', content: 'ok', usage: { input_tokens: 4, output_tokens: 2 } });
    const { manager, types } = await processed(messages);
    assert.ok(summaryIn(messages));
    messages.push({
      role: 'assistant',
      content: 'ok',
      usage: { input_tokens: 1, output_tokens: 2 },
      timestamp: NOW + 9,
    });
    await manager.process(messages, { now: NOW + 10 });
    assert.equal(types().filter((/** @type {string} */ type) => type === 'usage_doubted').length, 1);
  });
});

describe('R7.11 a result of 8 MB', () => {
  // This took 9 to 24 s once. CPU time is measured, because other tests run at the same time.
  for (const text of ['a', ' ', 'log line of a worker that is fine\n']) {
    it(`R7.11 a result of 8 MB of ${JSON.stringify(text)} is cut within 3 s of CPU time`, async () => {
      const messages = [...session(300), ...exchange(1)];
      messages.at(-1).content = text.repeat(8_000_000 / text.length);
      const config = configuration({ maxContextTokens: 60_000 });
      const start = process.cpuUsage();
      await processed(messages, { model: failingModel(), config });
      const { user, system } = process.cpuUsage(start);
      assert.ok(user + system < 3_000_000, `${user + system} µs`);
      assert.ok(tokensOf(messages) <= 57_000 && messages.at(-1).content.length > 100_000);
    });
  }
});

/**
 * Checks the messages that are sent if the summary model fails. True if history was cut.
 * @param {any[]} history
 * @param {number} window
 */
async function assertSendsRequest(history, window) {
  const config = { maxContextTokens: window };
  const messages = [...history];
  const { manager, events } = managerWith({ config, model: failingModel() });
  await manager.process(messages, { now: NOW });
  if (messages.length === history.length && messages.every((message, at) => message === history[at])) return false;
  const sent = stripForApi(messages);
  const newest = history.findLast((message) => userTexts(message).length > 0);
  const system = history.slice(
    0,
    history.findIndex(({ role }) => role !== 'system'),
  );
  const leastTokens = countTokens([...system, newest ?? {}]) + 150;
  // The request may not fit next to a large unanswered call, or to the call whose results its message has.
  const answered = new Set(history.flatMap((message) => pairing(message).answers));
  const last = history.findLast(({ role }) => role === 'assistant');
  const hasUnansweredCall = history.some((message) => {
    const { declares } = pairing(message);
    return message === last ? declares.length > 0 : declares.some((id) => !answered.has(id));
  });
  const isWithResults = newest !== undefined && pairing(newest).answers.length > 0;
  if (
    newest !== undefined &&
    leastTokens <= window * 0.95 &&
    !isWithResults &&
    !(hasUnansweredCall && leastTokens > window / 2)
  ) {
    assert.ok(
      sent.some((/** @type {any} */ message) => isDeepStrictEqual(userTexts(message), userTexts(newest))),
      'the current request was removed',
    );
  }
  if (!events.some(({ type }) => type === 'cannot_fit')) assert.ok(countTokens(sent) <= Math.ceil(window * 0.95));
  assert.ok(emptyTextCount(sent) <= emptyTextCount(history), 'a text became empty');
  assertPairs(sent, history);
  assert.deepEqual(expandHistory(messages), history);
  return true;
}

it('R7.11 in random sessions with a failing model, the sent messages contain the current request if it fits', async () => {
  let cutCount = 0;
  const plan = fc.record({
    form: /** @type {fc.Arbitrary<'openai' | 'anthropic'>} */ (fc.constantFrom('openai', 'anthropic')),
    turns: fc.array(turn, { minLength: 1, maxLength: 40, size: 'max' }),
    window: fc.integer({ min: 900, max: 8_000 }),
    systemWords: fc.constantFrom(0, 5, 80),
  });
  const property = fc.asyncProperty(plan, async ({ form, turns, window, systemWords }) => {
    const scribe = new Scribe(form, countTokens);
    /** @type {any[]} */
    const history = systemWords > 0 ? [{ role: 'system', content: prose(systemWords, 1) }] : [];
    for (const randomTurn of turns) history.push(...scribe.write({ ...randomTurn, usage: 'none' }, history));
    if (await assertSendsRequest(history, window)) cutCount += 1;
  });
  await fc.assert(property, runs(0.1));
  assert.ok(cutCount > 0, 'never cut');
});

testEachSession(
  'R7.11 in a recorded session with a failing model, the sent messages contain the current request if it fits',
  async ({ messages }) => {
    for (const window of [6_000, 24_000, 96_000]) {
      const step = Math.max(1, Math.floor(messages.length / 12));
      for (let end = step; end <= messages.length; end += step)
        await assertSendsRequest(messages.slice(0, end), window);
    }
  },
);
