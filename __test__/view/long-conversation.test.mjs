// @ts-check
/** `prepare` reads long conversations in slices, so that it doesn't block the event loop. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContextView, ContextViews, stripForApi } from 'palimpsest';
import { exchange, MINUTE, START } from '../support/histories.mjs';

/** An agent that reads and edits the same files. @param {number} length @param {boolean} isTimed @returns {any[]} */
function session(length, isTimed) {
  /** @type {any[]} */ const messages = [{ role: 'user', content: 'Find the mistake.' }];
  for (let turn = 0; messages.length < length; turn++) {
    const id = `call_${turn}`;
    const name = turn % 3 === 0 ? 'Edit' : 'Read';
    const path = `src/${turn % 40}.ts`;
    messages.push(...exchange(id, name, { file_path: path }, `line of ${path} ${turn}\n`.repeat(8)));
    if (turn % 5 === 4) messages.push({ role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Go on.' });
  }
  return isTimed ? messages.map((message, at) => ({ ...message, timestamp: START + at * MINUTE })) : messages;
}

describe('R10.10 a long conversation is prepared in slices', () => {
  for (const isTimed of [true, false]) {
    test(`\`prepare\` sends and counts the same as \`project\` and lets the event loop run, ${isTimed ? 'with' : 'without'} times`, async () => {
      const options = { price: /** @type {const} */ ('anthropic'), marks: true, arrivalTimes: false };
      const stored = session(2_600, isTimed);
      const [sliced, atOnce] = [new ContextView(options), new ContextView(options)];
      let eventLoopTurns = 0;
      const counting = setInterval(() => eventLoopTurns++, 0);
      for (let request = 0; request < 3; request++) {
        const requestOptions = { now: START + (stored.length + request) * MINUTE };
        const prepared = await sliced.prepare(stored, requestOptions);
        const projected = atOnce.project(stored, requestOptions);
        assert.deepEqual(prepared.messages, stripForApi(projected.messages));
        assert.deepEqual(prepared.report, projected.report);
        assert.deepEqual(sliced.ledger(), atOnce.ledger());
        assert.deepEqual(sliced.plan(requestOptions), atOnce.plan(requestOptions));
        assert.deepEqual(sliced.breakpoints(), atOnce.breakpoints());
        assert.deepEqual(sliced.export(), atOnce.export());
        stored.push({ role: 'assistant', content: `${request}` }, { role: 'user', content: 'And now?' });
      }
      clearInterval(counting);
      assert.ok(eventLoopTurns > 0, 'the event loop runs in between');
    });
  }

  test('requests that arrive in the meantime keep their order and their conversation', async () => {
    const views = new ContextViews();
    const stored = session(2_600, true);
    const longer = [...stored, { role: 'assistant', content: 'Left.' }, { role: 'user', content: 'Go on.' }];
    const branch = [
      ...stored.slice(0, 2_000),
      { role: 'assistant', content: 'Right.' },
      { role: 'user', content: 'On.' },
    ];
    /** @type {number[]} */ const order = [];
    const requests = [stored, longer, branch].map(async (messages, at) => {
      const { messages: sent } = await views.prepare(messages, { now: START });
      order.push(at);
      return sent.at(-1)?.content;
    });
    assert.deepEqual(
      await Promise.all(requests),
      [stored, longer, branch].map((messages) => messages.at(-1)?.content),
    );
    assert.ok(order.indexOf(0) < order.indexOf(1));
    const inTurn = new ContextViews();
    for (const messages of [stored, longer, branch]) inTurn.project(messages, { now: START });
    assert.deepEqual([views.size, views.ledger()], [inTurn.size, inTurn.ledger()]);
  });
});
