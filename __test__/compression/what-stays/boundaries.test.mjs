// @ts-check
/** The summarised range: which messages stay with each keepRecentCount, and the option `pin`. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  configuration,
  expandHistory,
  FULL,
  failingModel,
  filler,
  noticeIn,
  OVER,
  parallelExchanges,
  processed,
  session,
  summaryIn,
  unpaired,
} from '../../support/compression.mjs';

const keeping = (/** @type {number} */ count) => configuration({ autoCompressionKeepRecentCount: count });

/** Parallel calls and their results in Anthropic's form, after thinking. @param {number} count @returns {any[]} */
function parallelAnthropicCalls(count) {
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
function anthropicSession() {
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

describe('R7.4 the kept messages', () => {
  it('R7.4 all leading system and developer messages stay unmodified before the summary', async () => {
    const lead = [
      { role: 'system', content: 'first' },
      { role: 'developer', content: 'second' },
      { role: 'system', content: 'third' },
    ];
    const { messages } = await processed([...lead, ...session().slice(1)]);
    assert.deepEqual(messages.slice(0, 3), lead);
    assert.ok(messages[3].isCompressed);
  });

  it('R7.4 a system message between other messages is summarised', async () => {
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
    it(`R7.4 with keepRecentCount ${keep} the newest ${keep} messages stay, and one more only to keep a call with its result`, async () => {
      const { messages, before } = await processed(session(), { config: keeping(keep) });
      const kept = messages.length - 2;
      assert.ok(kept >= keep && kept <= keep + 1, `${kept}`);
      if (keep > 0) assert.deepEqual(messages.slice(-kept), before.slice(-kept));
      assert.deepEqual(unpaired(messages), []);
    });

    it(`R7.4 with keepRecentCount ${keep} parallel calls and their results stay or are summarised together`, async () => {
      const { messages } = await processed([...session(), ...parallelExchanges(8)], { config: keeping(keep) });
      assert.deepEqual(unpaired(messages), []);
      const isWhole = messages.some(({ content }) => content === 'all at once');
      assert.equal(isWhole, keep > 0, 'only a part of the turn stayed');
    });
  }

  it("R7.4 Anthropic's parallel calls, with their thinking and results, stay or are summarised together", async () => {
    for (let keep = 0; keep <= 5; keep++) {
      const { messages, before } = await processed([...anthropicSession(), ...parallelAnthropicCalls(5)], {
        config: keeping(keep),
      });
      assert.ok(summaryIn(messages), `${keep}`);
      assert.deepEqual(unpaired(messages), []);
      if (keep > 0) assert.deepEqual(messages.slice(-2), before.slice(-2));
      assert.deepEqual(expandHistory(messages), before);
    }
  });

  it('R7.4 unanswered calls at the end stay even with keepRecentCount 0', async () => {
    for (const answeredCount of [0, 1, 2]) {
      const unfinished = parallelExchanges(3).slice(0, 1 + answeredCount);
      const { messages, before } = await processed([...session(), ...unfinished], { config: keeping(0) });
      assert.ok(summaryIn(messages));
      assert.deepEqual(
        messages.slice(-unfinished.length),
        before.slice(-unfinished.length),
        `${answeredCount} answered`,
      );
    }
  });

  it('R7.4 with keepRecentCount 0 the last answered call is summarised, too', async () => {
    const { messages, before } = await processed(session(), { config: keeping(0) });
    assert.equal(messages.length, 2);
    assert.deepEqual(expandHistory(messages), before);
  });

  it('R7.4 if all messages are recent, no model is called', async () => {
    const { calls, messages, before, manager } = await processed(session(FULL, { words: 100 }), {
      config: keeping(50),
    });
    assert.equal(calls.length, 0);
    assert.deepEqual(messages, before);
    assert.equal(manager.stats()['skipped.nothing_between'], 1);
  });

  it("R7.4 call ids that repeat in every turn don't keep more messages", async () => {
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

  it('R7.4 a pinned message is repeated before the summary', async () => {
    const { messages, before } = await processed(withRules(session()), { options: { pin } });
    assert.equal(messages[1].content, RULES);
    assert.ok(messages[2].isCompressed);
    assert.equal(messages.filter(({ content }) => content === RULES).length, 1);
    assert.deepEqual(expandHistory(messages), before);
  });

  it('R7.4 after three compressions a pinned message is in the array and in the digest exactly once', async () => {
    const { messages, manager, before } = await processed(withRules(session()), { options: { pin } });
    const history = [...before];
    for (const from of [200, 400]) {
      const later = session(FULL, { from }).slice(2);
      messages.push(...later);
      history.push(...later);
      await manager.process(messages);
      assert.equal(messages.filter(({ content }) => content === RULES).length, 1);
      const { requests } = messages[2].compression.digest;
      assert.deepEqual(
        [requests.first, ...requests.newest].filter((text) => text === RULES),
        [RULES],
        'not exactly once in the digest',
      );
      assert.deepEqual(expandHistory(messages), history);
    }
  });

  it('R7.4 a pinned call is repeated with its result', async () => {
    const messages = session();
    const pinCall = (/** @type {any} */ message) => message?.content === 'I take step 4.';
    const { before } = await processed(messages, { options: { pin: pinCall } });
    assert.deepEqual(unpaired(messages), []);
    assert.equal(messages[1].content, 'I take step 4.');
    assert.ok(messages[2].content.startsWith('result 4:'));
    assert.deepEqual(expandHistory(messages), before);
  });

  it('R7.4 if all messages are pinned, no model is called', async () => {
    const { calls, manager } = await processed(session(), { options: { pin: () => true } });
    assert.equal(calls.length, 0);
    assert.equal(manager.stats()['skipped.all_pinned'], 1);
  });

  it('R7.11 a cut keeps a pinned message that fits', async () => {
    const { messages, before } = await processed(withRules(session(OVER)), { options: { pin }, model: failingModel() });
    assert.ok(noticeIn(messages));
    assert.equal(messages.filter(({ content }) => content === RULES).length, 1);
    assert.deepEqual(expandHistory(messages), before);
  });
});
