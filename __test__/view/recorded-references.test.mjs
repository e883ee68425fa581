// @ts-check
/**
 * References in recorded sessions: a new process finds results that were sent whole because the prompt was too short for a reference. Their
 * placeholders once counted as saving nothing there, so the process sent results that another had removed.
 */
import assert from 'node:assert/strict';
import { ContextView } from 'palimpsest';
import { testEachSession } from '../support/corpus.mjs';

const OPTIONS = /** @type {const} */ ({ price: 'openai', arrivalTimes: false });
/** Every ninth request is also sent by a new process. */
const STRIDE = 9;

testEachSession('R10.12 a new process sends the same bytes, and has the same plan', ({ messages }) => {
  const view = new ContextView(OPTIONS);
  const ends = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
  for (const [number, end] of ends.entries()) {
    const stored = messages.slice(0, end);
    const sent = view.project(stored).messages;
    if (number % STRIDE > 0 && number < ends.length - 1) continue;
    const fresh = new ContextView(OPTIONS);
    assert.deepEqual(fresh.project(stored).messages, sent, `request ${number}`);
    assert.deepEqual(fresh.plan(), view.plan(), `request ${number}`);
  }
});
