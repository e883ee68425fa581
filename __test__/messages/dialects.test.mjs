// @ts-check
/** Random conversations, converted to every dialect: same decisions, same guarantees, and requests that a strict provider accepts. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  cleanOrphanedToolCalls,
  prepareMessages,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
  simplifyTextSearchResults,
  simplifyToolResults,
} from 'palimpsest';
import { runs } from '../support/comparison.mjs';
import { changedResults, convert, DIALECTS, idsIn } from '../support/dialects.mjs';
import { MINUTE } from '../support/histories.mjs';
import { neutralSession } from '../support/neutral-sessions.mjs';

/** @typedef {import('../support/neutral-sessions.mjs').NeutralSession} NeutralSession */

const RULES = /** @type {any} */ ({
  terminal: { keepRecent: 2 },
  fileReads: { keepRecent: 1 },
  textSearch: { keepRecent: 2 },
});

/** Keys of results with an image. In openai-chat images are in another field than the content, and stay. @param {NeutralSession} session */
function keysWithImages(session) {
  const calls = session.steps.flatMap((step) => (step.kind === 'assistant' ? step.calls : []));
  return new Set(calls.filter(({ outcome }) => outcome?.image).map(({ key }) => key));
}

/** @param {string} dialect @param {readonly any[]} messages @param {string} why */
function assertValid(dialect, messages, why) {
  assert.deepEqual(DIALECTS[dialect]?.problemsIn(messages, { pendingTurn: false }), [], why);
}

const minutes = fc.integer({ min: 0, max: 40 });

describe('R11.1 the same conversation gets the same decisions in every dialect', () => {
  const others = Object.keys(DIALECTS).filter((dialect) => dialect !== 'openai-chat');
  test('prepareMessages replaces the same results without images, with times and without', () => {
    fc.assert(
      fc.property(neutralSession(), fc.boolean(), minutes, (session, times, later) => {
        const options = { ...RULES, orphans: false, now: session.end + later * MINUTE };
        const inChat = convert(session, 'openai-chat', { times });
        const images = keysWithImages(session);
        const withoutImages = (/** @type {string[]} */ keys) => keys.filter((key) => !images.has(key));
        const expected = withoutImages(changedResults(inChat, prepareMessages(inChat.messages, options).messages));
        for (const dialect of others) {
          const converted = convert(session, dialect, { times });
          const { messages, report } = prepareMessages(converted.messages, options);
          const changed = changedResults(converted, messages);
          assert.deepEqual(withoutImages(changed), expected, dialect);
          assert.equal(report.changed, changed.length, dialect);
          assert.equal(report.unrecognised, 0, dialect);
          assert.ok(report.unitsRemoved >= 0, dialect);
        }
      }),
      runs(0.05),
    );
  });

  test('prepareMessages replaces the same results with images in every dialect except openai-chat', () => {
    fc.assert(
      fc.property(neutralSession(), minutes, (session, later) => {
        const options = { ...RULES, orphans: false, now: session.end + later * MINUTE };
        const all = others.map((dialect) => {
          const converted = convert(session, dialect, { times: true });
          return changedResults(converted, prepareMessages(converted.messages, options).messages);
        });
        for (const changed of all) assert.deepEqual(changed, all[0]);
      }),
      runs(0.03),
    );
  });
});

for (const [dialect, { problemsIn }] of Object.entries(DIALECTS)) {
  describe(`R11.2 to R11.4 ${dialect}`, () => {
    test('R0.1 the drop-in functions and prepareMessages change no message object', () => {
      fc.assert(
        fc.property(neutralSession(), minutes, (session, later) => {
          const { messages } = convert(session, dialect, { times: true });
          const { messages: stored } = convert(session, dialect, { times: true });
          const now = session.end + later * MINUTE;
          const api = [...messages];
          cleanOrphanedToolCalls(api);
          simplifyOutdatedTerminalResults(api, { now, keepRecent: 2 });
          simplifyHistoricalFileReads(api, { now, keepRecent: 1 });
          simplifyTextSearchResults(api, { now, keepRecent: 2 });
          assert.deepEqual(messages, stored);
          const prepared = prepareMessages(messages, { ...RULES, now });
          // Without orphans neither removes a message.
          if (prepared.report.byRule.orphans?.changed === 0) assert.deepEqual(api.length, prepared.messages.length);
          assert.deepEqual(messages, stored);
          const reads = [{ name: 'reads', tools: ['filesystem-read'], keepRecent: 1, placeholder: '[{tool}]' }];
          simplifyToolResults(api, reads, { now });
          assert.deepEqual(messages, stored);
        }),
        runs(0.03),
      );
    });

    test('R11.2 only the output of a replaced result changes, and all other messages and parts are the same objects', () => {
      fc.assert(
        fc.property(neutralSession(), (session) => {
          const converted = convert(session, dialect, { times: true });
          const options = { ...RULES, orphans: false, now: session.end + 60 * MINUTE };
          const { messages } = prepareMessages(converted.messages, options);
          const changed = new Set(changedResults(converted, messages));
          const changedIndices = new Set(
            converted.places.filter(({ key }) => changed.has(key)).map(({ message }) => message),
          );
          for (const [index, message] of converted.messages.entries()) {
            if (!changedIndices.has(index)) assert.equal(messages[index], message);
            // A message that is itself a result has no other parts.
            if (DIALECTS[dialect]?.resultsOf(message)[0]?.part === message) continue;
            const parts = message.content ?? message.parts;
            if (!changedIndices.has(index) || !Array.isArray(parts)) continue;
            const after = messages[index].content ?? messages[index].parts;
            assert.equal(after.length, parts.length);
            const same = parts.filter((/** @type {any} */ part, /** @type {number} */ at) => part === after[at]).length;
            const replaced = converted.places.filter(({ key, message: place }) => place === index && changed.has(key));
            assert.equal(same, parts.length - replaced.length);
          }
        }),
        runs(0.03),
      );
    });

    test('R11.4 a session that ends anywhere is valid for its provider after orphans were removed or answered', () => {
      fc.assert(
        fc.property(neutralSession(), fc.nat(), minutes, (session, cut, later) => {
          const { messages: all } = convert(session, dialect, { times: true });
          const messages = all.slice(0, 2 + (cut % all.length));
          fc.pre(problemsIn(messages, { pendingTurn: true }).length === 0);
          const options = { ...RULES, now: session.end + later * MINUTE };
          for (const orphans of /** @type {const} */ (['remove', 'answer'])) {
            const prepared = prepareMessages(messages, { ...options, orphans });
            assertValid(dialect, prepared.messages, orphans);
            const again = prepareMessages(prepared.messages, { ...options, orphans });
            assert.equal(again.report.byRule.orphans?.changed, 0, `${orphans}: a second call changes nothing`);
            if (orphans === 'remove') continue;
            const [before, after] = [idsIn(dialect, messages), idsIn(dialect, prepared.messages)];
            assert.deepEqual(after.calls, before.calls, 'no call is lost');
            assert.equal(after.results.length, after.calls.length);
          }
          const api = [...messages];
          cleanOrphanedToolCalls(api);
          assertValid(dialect, api, 'in place');
        }),
        runs(0.05),
      );
    });

    test('R0.4 after an edit in place, or with messages removed at the end, a conversation is prepared like a new one', () => {
      fc.assert(
        fc.property(neutralSession(3), fc.nat(), (session, choice) => {
          const { messages, places } = convert(session, dialect, { times: true });
          fc.pre(places.length > 0);
          const options = { ...RULES, now: session.end + 60 * MINUTE };
          prepareMessages(messages, options);
          const place = /** @type {any} */ (places[choice % places.length]);
          const found = DIALECTS[dialect]?.resultsOf(messages[place.message])[place.part];
          DIALECTS[dialect]?.replaceOutput(found?.part, 'Error: no such file');
          const editedCopy = () => {
            const copy = convert(session, dialect, { times: true }).messages;
            const other = DIALECTS[dialect]?.resultsOf(copy[place.message])[place.part];
            DIALECTS[dialect]?.replaceOutput(other?.part, 'Error: no such file');
            return copy;
          };
          assert.deepEqual(
            prepareMessages(messages, options).messages,
            prepareMessages(editedCopy(), options).messages,
          );
          const rewound = messages.slice(0, place.message);
          assert.deepEqual(
            prepareMessages(rewound, options).messages,
            prepareMessages(editedCopy().slice(0, place.message), options).messages,
          );
        }),
        runs(0.03),
      );
    });
  });
}
