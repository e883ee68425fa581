// @ts-check
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import * as product from 'palimpsest';
import { dialectOf } from '../../lib/messages/dialect.js';
import { formOf } from '../../lib/messages/form.js';
import { runs } from '../support/comparison.mjs';
import { convert, copies, DIALECTS } from '../support/dialects.mjs';
import { neutralSession } from '../support/neutral-sessions.mjs';

/** Fields that hold objects of the host's own classes or are never read: an edit there says nothing. */
const NOT_DATA = new Set(['lc_namespace', 'lc_serializable', 'lc_kwargs']);

/**
 * All places below `value`: an object or list, a key of it, and the keys that lead there.
 * @param {any} value
 * @param {{ of: any, key: string, path: string[] }[]} found
 * @param {string[]} above
 */
function places(value, found = [], above = []) {
  if (value === null || typeof value !== 'object') return found;
  for (const key of Object.keys(value)) {
    if (NOT_DATA.has(key)) continue;
    const path = [...above, key];
    found.push({ of: value, key, path });
    places(value[key], found, path);
  }
  return found;
}

const edit = fc.record({
  message: fc.nat(),
  place: fc.nat(),
  kind: fc.constantFrom('text', 'number', 'delete', 'splice', 'swap', 'replace', 'copy'),
});

/** What a host may do to its history between two requests. */
function change(
  /** @type {any[]} */ messages,
  /** @type {any} */ { message, place, kind },
  /** @type {string} */ dialect,
) {
  if (messages.length === 0) return;
  const at = message % messages.length;
  if (kind === 'splice') return void messages.splice(at, 1);
  if (kind === 'copy') return void messages.splice(at, 1, ...copies(dialect, [messages[at]]));
  if (kind === 'swap') {
    const other = place % messages.length;
    [messages[at], messages[other]] = [messages[other], messages[at]];
    return;
  }
  const found = places(messages[at]);
  if (found.length === 0) return;
  const { of, key } = /** @type {{ of: any, key: string }} */ (found[place % found.length]);
  if (kind === 'delete') Array.isArray(of) ? of.splice(Number(key), 1) : delete of[key];
  else if (kind === 'number') of[key] = 1_700_000_000_000 + place;
  else of[key] = kind === 'text' ? `edited ${place}` : 'tool_result';
}

/** @param {any} message */
function formKey(message) {
  const form = formOf(message);
  return `${form} ${dialectOf(form, message) === null}`;
}

describe('what is remembered of messages never shows', () => {
  for (const dialect of Object.keys(DIALECTS)) {
    test(`${dialect}: after edits in place of any field, splices, swaps and copies a known conversation is prepared like a new one`, () => {
      const options = { terminal: { keepRecent: 1, maxAgeMs: 0 }, fileReads: { keepRecent: 1 } };
      const property = fc.property(
        neutralSession(),
        fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
        (session, rounds) => {
          const { messages } = convert(session, dialect, { times: true });
          const given = { ...options, now: session.end + 1e9 };
          const forms = new Map(messages.map((message) => [message, formKey(message)]));
          product.prepareMessages(messages, given);
          for (const edits of rounds) {
            for (const each of edits) change(messages, each, dialect);
            // Which form a message has is looked at once for each object: one that is of another form now is another.
            messages.forEach((message, index) => {
              if (forms.get(message) === formKey(message)) return;
              messages[index] = copies(dialect, [message])[0];
              forms.set(messages[index], formKey(message));
            });
            const known = product.prepareMessages(messages, given);
            const anew = product.prepareMessages(copies(dialect, messages), given);
            assert.deepEqual(known.messages, anew.messages);
            assert.deepEqual(known.report.toJSON(), anew.report.toJSON());
          }
        },
      );
      fc.assert(property, runs(0.04));
    });
  }
});

/** What an edit in place makes of a value. @param {unknown} value */
function edited(value) {
  if (typeof value === 'string') return `${value} edited`;
  if (typeof value === 'number') return value + 60_000;
  return typeof value === 'boolean' ? !value : 'edited';
}

/** In which results become placeholders: three drawn at random may have none. */
const WITH_OLD_RESULTS = fc.sample(neutralSession(2), { numRuns: 1, seed: 3 });

describe('ISSUE 21.1 no edit in place is missed', () => {
  const counterAnew = new product.TokenCounter();
  const options = { terminal: { keepRecent: 1, maxAgeMs: 0 }, fileReads: { keepRecent: 1 } };
  let replaced = 0;
  for (const dialect of Object.keys(DIALECTS)) {
    test(`${dialect}: each leaf of a known conversation, edited in turn, is read and counted again`, () => {
      const property = fc.property(neutralSession(2), (session) => {
        const given = { ...options, now: session.end + 1e9 };
        const { messages } = convert(session, dialect, { times: true });
        const counter = new product.TokenCounter();
        product.prepareMessages(messages, given);
        counter.countMessages(messages);
        for (const message of messages) {
          for (const { of, key } of places(message)) {
            const [before, form] = [of[key], formKey(message)];
            if (before !== null && typeof before === 'object') continue;
            of[key] = edited(before);
            // A message that an edit gives another form goes on being read in the one that it had.
            if (formKey(message) === form) {
              const [known, anew] = [messages, copies(dialect, messages)].map((all) =>
                product.prepareMessages(all, given),
              );
              assert.deepEqual(known?.messages, anew?.messages, `${key}: ${String(before).slice(0, 40)}`);
              assert.deepEqual(known?.report.toJSON(), anew?.report.toJSON());
              const counts = [counter.countMessages([message]), counterAnew.countMessages(copies(dialect, [message]))];
              assert.equal(counts[0], counts[1], `${key} counts`);
            }
            of[key] = before;
          }
        }
      });
      fc.assert(property, { numRuns: 1 });
    });

    test(`${dialect}: each leaf of a message that a view has sent, edited in turn, is sent as it is then`, () => {
      const at = (/** @type {any} */ message, /** @type {string[]} */ path) =>
        path.reduce((held, key) => held?.[key], message);
      const property = fc.property(neutralSession(2), (session) => {
        const { messages } = convert(session, dialect, { times: true });
        const now = session.end + 1e9;
        const fresh = () => new product.ContextView({ ...options, price: 'none', orphans: false });
        const view = fresh();
        view.project(messages, { now });
        for (const [index, message] of messages.entries()) {
          for (const { of, key, path } of places(message)) {
            const [before, form] = [of[key], formKey(message)];
            if (before !== null && typeof before === 'object') continue;
            const sent = view.project(messages, { now }).messages[index];
            if (sent !== message) replaced++;
            // What a placeholder stands for isn't sent, whatever it is.
            if (!Object.is(at(sent, path), before)) continue;
            of[key] = edited(before);
            if (formKey(message) === form) {
              const after = view.project(messages, { now }).messages[index];
              const isSent = after === message || Object.is(at(after, path), of[key]);
              // An edit may make a result one that goes.
              const [anew] = isSent ? [] : [fresh().project(copies(dialect, messages), { now }).messages[index]];
              assert.ok(isSent || at(anew, path) === at(after, path), `${path}: ${String(before).slice(0, 40)}`);
            }
            of[key] = before;
          }
        }
      });
      fc.assert(property, { numRuns: 3, examples: WITH_OLD_RESULTS.map((session) => [session]) });
    });
  }

  test('some of the edited messages had been replaced', () => assert.ok(replaced > 0));
});
