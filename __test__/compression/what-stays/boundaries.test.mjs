// @ts-check
/** What is summarised and what stays. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  configuration,
  exchange,
  expandHistory,
  FULL,
  filler,
  noticeIn,
  OVER,
  processed,
  scripted,
  session,
  summaryIn,
  unpaired,
} from '../../support/compression.mjs';

const keeping = (/** @type {number} */ count) => configuration({ autoCompressionKeepRecentCount: count });

/** One assistant turn with `count` calls at once, and their results. @param {number} count @returns {any[]} */
function parallel(count) {
  const pairs = Array.from({ length: count }, (_, at) => exchange(5_000 + at, 10));
  const calls = pairs.map(([assistant]) => assistant.tool_calls[0]);
  return [{ role: 'assistant', content: 'all at once', tool_calls: calls }, ...pairs.map(([, result]) => result)];
}

/** The same in Anthropic's form: results lie in one user message. @param {number} count @returns {any[]} */
function parallelParts(count) {
  const ids = Array.from({ length: count }, (_, at) => `use-${at}`);
  return [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'now', signature: 'sig' },
        ...ids.map((id) => ({ type: 'tool_use', id, name: 'read', input: { path: `${id}.ts` } })),
      ],
    },
    { role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: filler(10) })) },
  ];
}

/** A session in Anthropic's form. @returns {any[]} */
function partsSession() {
  const messages = session(300).slice(0, 2);
  for (let at = 0; at < 45; at++) {
    const id = `toolu_${at}`;
    messages.push({
      role: 'assistant',
      content: [
        { type: 'text', text: `step ${at}` },
        { type: 'tool_use', id, name: 'shell', input: { command: `step ${at}` } },
      ],
    });
    const content = [{ type: 'text', text: filler(50) }];
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] });
  }
  return messages;
}

describe('R7.4 what stays', () => {
  it('R7.4 all leading system and developer messages, word for word', async () => {
    const lead = [
      { role: 'system', content: 'first' },
      { role: 'developer', content: 'second' },
      { role: 'system', content: 'third' },
    ];
    const { messages } = await processed([...lead, ...session().slice(1)]);
    assert.deepEqual(messages.slice(0, 3), lead);
    assert.ok(messages[3].isCompressed);
  });

  it('R7.4 a system message in the middle is history like any other', async () => {
    const messages = session();
    messages.splice(11, 0, { role: 'system', content: 'a reminder' });
    const { before } = await processed(messages);
    assert.ok(!messages.some(({ content }) => content === 'a reminder'));
    assert.deepEqual(expandHistory(messages), before);
  });

  it('R7.4 a session without a system prompt begins with the summary', async () => {
    const { messages } = await processed(session().slice(1));
    assert.ok(messages[0].isCompressed);
  });

  for (let keep = 0; keep <= 12; keep++) {
    it(`R7.4 the newest ${keep} are kept, more only so that no call is parted from its result`, async () => {
      const { messages, before } = await processed(session(), { config: keeping(keep) });
      const kept = messages.length - 2;
      assert.ok(kept >= keep && kept <= keep + 1, `${kept}`);
      if (keep > 0) assert.deepEqual(messages.slice(-kept), before.slice(-kept));
      assert.deepEqual(unpaired(messages), []);
    });

    it(`R7.4 parallel calls and their results are never parted, ${keep} kept`, async () => {
      const { messages } = await processed([...session(), ...parallel(8)], { config: keeping(keep) });
      assert.deepEqual(unpaired(messages), []);
      const isWhole = messages.some(({ content }) => content === 'all at once');
      assert.equal(isWhole, keep > 0, 'all of the turn or nothing of it');
    });
  }

  it('R7.4 the same holds for the calls and results of Anthropic, the thinking of a turn included', async () => {
    for (let keep = 0; keep <= 5; keep++) {
      const { messages, before } = await processed([...partsSession(), ...parallelParts(5)], { config: keeping(keep) });
      assert.ok(summaryIn(messages), `${keep}`);
      assert.deepEqual(unpaired(messages), []);
      if (keep > 0) assert.deepEqual(messages.slice(-2), before.slice(-2));
      assert.deepEqual(expandHistory(messages), before);
    }
  });

  it('R7.4 calls in flight at the end stay, whatever keepRecentCount says', async () => {
    for (const answered of [0, 1, 2]) {
      const flight = parallel(3).slice(0, 1 + answered);
      const { messages, before } = await processed([...session(), ...flight], { config: keeping(0) });
      assert.ok(summaryIn(messages));
      assert.deepEqual(messages.slice(-flight.length), before.slice(-flight.length), `${answered} answered`);
    }
  });

  it('R7.4 with keepRecentCount 0 the last finished exchange may go, and nothing is lost', async () => {
    const { messages, before } = await processed(session(), { config: keeping(0) });
    assert.equal(messages.length, 2);
    assert.deepEqual(expandHistory(messages), before);
  });

  it('R7.4 when there is nothing between, no model is asked', async () => {
    const { calls, messages, before, manager } = await processed(session(FULL, { words: 100 }), {
      config: keeping(50),
    });
    assert.equal(calls.length, 0);
    assert.deepEqual(messages, before);
    assert.equal(manager.stats()['skipped.nothing_between'], 1);
  });

  it('R7.4 ids that come again in every turn do not tie turns together', async () => {
    const messages = session().map((message) => JSON.parse(JSON.stringify(message).replace(/call-\d+/g, 'call-0')));
    const { messages: after } = await processed(messages);
    assert.equal(after.length, 6);
    assert.deepEqual(unpaired(after), []);
  });
});

describe('R7.4 pin', () => {
  const RULES = 'Rules: never touch main; answer in French.';
  const pin = (/** @type {any} */ message) => message?.content === RULES;

  /** @param {any[]} messages */
  const withRules = (messages) => [...messages.slice(0, 4), { role: 'user', content: RULES }, ...messages.slice(4)];

  it('R7.4 what the host pins is repeated word for word before the summary', async () => {
    const { messages, before } = await processed(withRules(session()), { options: { pin } });
    assert.equal(messages[1].content, RULES);
    assert.ok(messages[2].isCompressed);
    assert.equal(messages.filter(({ content }) => content === RULES).length, 1);
    assert.deepEqual(expandHistory(messages), before);
  });

  it('R7.4 it stays through a second and third compression, once', async () => {
    const { messages, manager, before } = await processed(withRules(session()), { options: { pin } });
    const all = [...before];
    for (const from of [200, 400]) {
      const more = session(FULL, { from }).slice(2);
      messages.push(...more);
      all.push(...more);
      await manager.process(messages);
      assert.equal(messages.filter(({ content }) => content === RULES).length, 1);
      const { requests } = messages[2].compression.digest;
      assert.deepEqual(
        [requests.first, ...requests.newest].filter((text) => text === RULES),
        [RULES],
        'once',
      );
      assert.deepEqual(expandHistory(messages), all);
    }
  });

  it('R7.4 a pinned call comes with its results', async () => {
    const messages = session();
    const pinCall = (/** @type {any} */ message) => message?.content === 'I take step 4.';
    const { before } = await processed(messages, { options: { pin: pinCall } });
    assert.deepEqual(unpaired(messages), []);
    assert.equal(messages[1].content, 'I take step 4.');
    assert.ok(messages[2].content.startsWith('result 4:'));
    assert.deepEqual(expandHistory(messages), before);
  });

  it('R7.4 when all is pinned, nothing is summarised', async () => {
    const { calls, manager } = await processed(session(), { options: { pin: () => true } });
    assert.equal(calls.length, 0);
    assert.equal(manager.stats()['skipped.all_pinned'], 1);
  });

  it('R7.11 what is pinned survives the hard limit while it fits', async () => {
    const model = scripted(new Error('away'));
    const { messages, before } = await processed(withRules(session(OVER)), { options: { pin }, model });
    assert.ok(noticeIn(messages));
    assert.equal(messages.filter(({ content }) => content === RULES).length, 1);
    assert.deepEqual(expandHistory(messages), before);
  });
});
