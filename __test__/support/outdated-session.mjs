// @ts-check
/** A session in which every rule replaces the results. */
import { convert } from './dialects.mjs';
import { START } from './histories.mjs';

/** @typedef {[name: string, input: Record<string, string>, text: string]} Called a call and the text of its result */

/**
 * A session whose calls were all made at its beginning, long enough ago that every rule replaces their
 * results.
 * @param {string} dialect
 * @param {readonly (readonly Called[])[]} steps the calls of each step
 * @param {string} [words] text of the user messages
 */
export function outdatedSession(dialect, steps, words = 'Go on.') {
  const shared = { reasoning: null, time: START };
  const userMessage = { kind: /** @type {const} */ ('user'), texts: [words] };
  let calls = 0;
  const outdated = steps.map((called, place) => ({
    kind: /** @type {const} */ ('assistant'),
    ...shared,
    place,
    texts: ['Let me see.'],
    calls: called.map(([name, input, text]) => {
      const id = `call_${calls++}`;
      return { key: id, id, name, input, outcome: { texts: [text], image: null, isFailed: false } };
    }),
  }));
  const talk = Array.from({ length: 200 }, (_, index) => [
    { kind: /** @type {const} */ ('assistant'), ...shared, place: 1_000 + index, texts: [`Done ${index}.`], calls: [] },
    userMessage,
  ]);
  const session = {
    system: 'You help.',
    steps: [userMessage, ...outdated, ...talk.flat()],
    isPending: false,
    end: START,
  };
  return convert(session, dialect);
}
