// @ts-check
/** What the model reads after a cut: the array as it would be sent. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { runs } from '../../support/comparison.mjs';
import { assertPairs, pairing, weigh } from '../../support/compressed-host.mjs';
import {
  configuration,
  exchange,
  expandHistory,
  FULL,
  filler,
  managerWith,
  NOW,
  noticeIn,
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
const away = () => scripted(new Error('away'));
/** @param {number} count @param {number} words a request, and its calls at once or one after the other */
const turnOf = (count, words, isAtOnce = true) => {
  const pairs = Array.from({ length: count }, (_, at) => exchange(at, words));
  if (!isAtOnce) return pairs.flat();
  const calls = pairs.map(([call]) => call.tool_calls[0]);
  return [{ role: 'assistant', content: '', tool_calls: calls }, ...pairs.map(([, answer]) => answer)];
};
/** The parts of a message that are a user's own words. @param {any} message @returns {string[]} */
const wordsOf = ({ role, content, isCompressed }) => {
  if (role !== 'user' || isCompressed) return [];
  const parts = Array.isArray(content) ? content.map((part) => part.text) : [content];
  return parts.filter((text) => typeof text === 'string' && text.trim() !== '');
};
/** The user's newest own words. @param {readonly any[]} messages */
const requestOf = (messages) => messages.map(wordsOf).findLast((words) => words.length > 0);
/** @param {readonly any[]} messages */
const emptyParts = (messages) =>
  messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter(({ text }) => text === '').length;

describe('R7.11 the current request', () => {
  it('R7.11 is said by the notice where only a summary said it and there is no room for both', async () => {
    const messages = session(FULL, { task: TASK });
    // Thinking must come back byte for byte, so the summary has to go instead.
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
    assert.equal(content.split(TASK).length, 2, `once: ${content}`);
    assert.match(content, /still being worked on/);
    assert.ok(tokensOf(messages) <= LIMIT);
    // The next cut has it from the record.
    messages.push(...exchange(701, 900));
    await processed(messages, { config, model: away() });
    assert.match(noticeIn(messages).content, new RegExp(TASK));
  });

  const NEWEST = 'And now run all suites.\nTell me which of them fail.';
  for (const [name, messages] of /** @type {[string, any[]][]} */ ([
    ['ten parallel results', turnOf(10, 900)],
    ['a long loop of calls', turnOf(120, 60, false)],
  ])) {
    it(`R7.11 stays word for word through ${name}, the first one is quoted, and not a call goes alone`, async () => {
      const whole = [...session(900), { role: 'user', content: NEWEST }, ...messages];
      const { messages: after, before } = await processed(whole, { model: away() });
      const sent = stripForApi(after);
      assert.equal(sent.filter(({ content }) => content === NEWEST).length, 1);
      assert.ok(noticeIn(after).content.includes(TASK) && !noticeIn(after).content.includes('run all suites'));
      assert.ok(tokensOf(sent) <= LIMIT);
      assertPairs(sent, before);
      assert.deepEqual(expandHistory(after), before);
    });
  }

  for (const isAtOnce of [true, false]) {
    it(`R7.11 twenty results of 300 tokens shrink in a window of 4,000, ${isAtOnce ? 'at once' : 'one by one'}`, async () => {
      const whole = [...session(30), ...turnOf(20, 190, isAtOnce)];
      const { messages, before } = await processed(whole, { model: away() });
      const results = messages.filter(({ role }) => role === 'tool');
      assert.equal(results.length, 20);
      assert.ok(results.every(({ content }) => content.length > 100));
      assert.equal(noticeIn(messages), undefined);
      assert.deepEqual(expandHistory(messages), before);
    });
  }

  it('R7.11 a request that is too large by itself is cut short, and its end stays as well as its beginning', async () => {
    const content = `BEGIN ${filler(6_000)} END`;
    const { messages } = await processed([...session(300), { role: 'user', content }], { model: away() });
    const request = messages.at(-1).content;
    assert.ok(request.startsWith('BEGIN') && request.endsWith('END') && tokensOf(messages) <= LIMIT);
  });

  it('R7.11 a question behind a pasted log stays, and no part becomes empty', async () => {
    const content = [
      { type: 'text', text: 'log line\n'.repeat(9_000) },
      { type: 'text', text: 'Why does worker 3 stop?' },
    ];
    const whole = [...session(300), { role: 'user', content }];
    const { messages, before } = await processed(whole, { model: away() });
    const [log, question] = messages.at(-1).content;
    assert.equal(question.text, 'Why does worker 3 stop?');
    assert.ok(log.text.length > 1_000 && log.text.length < 40_000);
    assert.deepEqual(expandHistory(messages), before);
  });

  it('R4.4 of a result that is cut short its error lines stay', async () => {
    const noise = 'compiling something that is fine\n'.repeat(900);
    const messages = [...session(300), ...exchange(1)];
    messages.at(-1).content = `$ make\n${noise}src/a.c:3: error: no such port\n${noise}done`;
    await processed(messages, { model: away() });
    assert.ok(messages.at(-1).content.includes('src/a.c:3: error: no such port'));
  });

  it('R7.4 when a summary takes its place a long one stays as a message, and so does one with an image', async () => {
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
    it(`R7.4 a short one is in each summary's second line, and goes when there is a newer one (${language})`, async () => {
      const options = { language };
      const { messages, manager } = await processed(session(), { options });
      const second = () => summaryIn(messages).content.split('\n')[2];
      for (let round = 1; round <= 3; round++) {
        assert.equal(second(), line);
        assert.equal(manager.stats().compressed, round);
        messages.push(...session(undefined, { from: 100 * round }).slice(2));
        await manager.process(messages, { now: NOW + round });
      }
      messages.push({ role: 'user', content: 'Now the other page.' }, ...session(FULL, { from: 900 }).slice(2));
      await manager.process(messages, { now: NOW + 9 });
      assert.equal(second(), line.replace(TASK, 'Now the other page.'));
      assert.equal(summaryIn(messages).content.split(line.slice(0, 9)).length, 2, 'one such line');
    });
  }
});

describe('R7.6 what is on record after a truncation', () => {
  it('R7.6 the notice names the files that were changed; the next summary still knows them and the requests', async () => {
    const edit = exchange(1);
    edit[0].tool_calls[0].function = { name: 'edit_file', arguments: '{"path":"src/login.ts"}' };
    const messages = [
      ...session(10),
      ...edit,
      { role: 'user', content: 'Now the other page, please.' },
      ...turnOf(100, 60, false),
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

describe('R7.10 messages that are large', () => {
  it('R7.10 of 1 % to 20 % of the window each are summarised, never cut, and the model is not asked for each', async () => {
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

describe('EDGE 6 usage that can not be', () => {
  it('EDGE 6 4 tokens for a full window still compress, and the log says so once', async () => {
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

describe('R7.11 a result of megabytes', () => {
  // It took 9 to 24 s before. The processor's time, since tests share the machine with others.
  for (const letter of ['a', ' ', 'log line of a worker that is fine\n']) {
    it(`R7.11 of ${JSON.stringify(letter)} does not hold up the event loop for seconds`, async () => {
      const messages = [...session(300), ...exchange(1)];
      messages.at(-1).content = letter.repeat(8_000_000 / letter.length);
      const config = configuration({ maxContextTokens: 60_000 });
      const start = process.cpuUsage();
      await processed(messages, { model: away(), config });
      const { user, system } = process.cpuUsage(start);
      assert.ok(user + system < 3_000_000, `${user + system} µs`);
      assert.ok(tokensOf(messages) <= 57_000 && messages.at(-1).content.length > 100_000);
    });
  }
});

/** One array as it is sent, during an outage. @param {any[]} history @param {number} window */
async function assertReads(history, window) {
  const config = { maxContextTokens: window };
  const messages = [...history];
  const { manager, events } = managerWith({ config, model: away() });
  await manager.process(messages, { now: NOW });
  if (messages.length === history.length && messages.every((message, at) => message === history[at])) return false;
  const sent = stripForApi(messages);
  const request = requestOf(history);
  const system = history.slice(
    0,
    history.findIndex(({ role }) => role !== 'system'),
  );
  const newest = history.findLast((message) => wordsOf(message).length > 0);
  const alone = weigh([...system, newest ?? {}]) + 150;
  // A call in flight that is large itself may be in the way, and the call that a request beside results belongs to.
  const answered = new Set(history.flatMap((message) => pairing(message).answers));
  const last = history.findLast(({ role }) => role === 'assistant');
  const isOpen = history.some((message) => {
    const { declares } = pairing(message);
    return message === last ? declares.length > 0 : declares.some((id) => !answered.has(id));
  });
  const isBeside = newest !== undefined && pairing(newest).answers.length > 0;
  if (request !== undefined && alone <= window * 0.95 && !isBeside && !(isOpen && alone > window / 2)) {
    assert.ok(
      sent.some((/** @type {any} */ message) => isDeepStrictEqual(wordsOf(message), request)),
      'the current request is gone',
    );
  }
  if (!events.some(({ type }) => type === 'cannot_fit')) assert.ok(weigh(sent) <= Math.ceil(window * 0.95));
  assert.ok(emptyParts(sent) <= emptyParts(history), 'a text became empty');
  assertPairs(sent, history);
  assert.deepEqual(expandHistory(messages), history);
  return true;
}

it('R7.11 the newest request is in what is sent, word for word, in every random session where it fits', async () => {
  let cut = 0;
  const plan = fc.record({
    form: /** @type {fc.Arbitrary<'openai' | 'anthropic'>} */ (fc.constantFrom('openai', 'anthropic')),
    turns: fc.array(turn, { minLength: 1, maxLength: 40, size: 'max' }),
    window: fc.integer({ min: 900, max: 8_000 }),
    systemWords: fc.constantFrom(0, 5, 80),
  });
  const property = fc.asyncProperty(plan, async ({ form, turns, window, systemWords }) => {
    const scribe = new Scribe(form, weigh);
    /** @type {any[]} */
    const history = systemWords > 0 ? [{ role: 'system', content: prose(systemWords, 1) }] : [];
    for (const one of turns) history.push(...scribe.write({ ...one, usage: 'none' }, history));
    if (await assertReads(history, window)) cut += 1;
  });
  await fc.assert(property, runs(0.1));
  assert.ok(cut > 0, 'never cut');
});

testEachSession(
  'R7.11 during an outage the newest request of a recorded session is in what is sent',
  async ({ messages }) => {
    for (const window of [6_000, 24_000, 96_000]) {
      const step = Math.max(1, Math.floor(messages.length / 12));
      for (let end = step; end <= messages.length; end += step) await assertReads(messages.slice(0, end), window);
    }
  },
);
