// @ts-check
import { convert } from './dialects.mjs';
import { START } from './histories.mjs';

/** @typedef {[name: string, input: Record<string, string>, text: string]} Called */

/**
 * A session whose calls were all made at its beginning, long enough ago that every rule replaces their
 * results.
 * @param {string} dialect
 * @param {readonly (readonly Called[])[]} steps the calls of each step
 * @param {string} [words] text of the user messages
 */
export function outdatedSession(dialect, steps, words = 'Go on.') {
  const plain = { reasoning: null, time: START };
  const asked = { kind: /** @type {const} */ ('user'), texts: [words] };
  let calls = 0;
  const made = steps.map((called, place) => ({
    kind: /** @type {const} */ ('assistant'),
    ...plain,
    place,
    texts: ['Let me see.'],
    calls: called.map(([name, input, text]) => {
      const id = `call_${calls++}`;
      return { key: id, id, name, input, outcome: { texts: [text], image: null, isFailed: false } };
    }),
  }));
  const talk = Array.from({ length: 200 }, (_, at) => [
    { kind: /** @type {const} */ ('assistant'), ...plain, place: 1_000 + at, texts: [`Done ${at}.`], calls: [] },
    asked,
  ]);
  const session = { system: 'You help.', steps: [asked, ...made, ...talk.flat()], isPending: false, end: START };
  return convert(session, dialect);
}
