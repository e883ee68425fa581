// @ts-check
/** What the package remembers about message objects never affects results: after any edit they are those of a new conversation. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import * as product from 'palimpsest';
import { dialectOf } from '../../lib/messages/choice.js';
import { formOf, mayHoldCalls } from '../../lib/messages/form.js';
import { runs } from '../support/comparison.mjs';
import { convert, copies, DIALECTS } from '../support/dialects.mjs';
import { neutralSession } from '../support/neutral-sessions.mjs';

/** Fields with class instances, or that are never read: an edit there has no effect. */
const NOT_DATA = new Set(['lc_namespace', 'lc_serializable', 'lc_kwargs']);

/**
 * All fields below `value`: their object or list, key and path.
 * @param {any} value
 * @param {{ owner: any, key: string, path: string[] }[]} found
 * @param {string[]} above
 */
function fieldsBelow(value, found = [], above = []) {
  if (value === null || typeof value !== 'object') return found;
  for (const key of Object.keys(value)) {
    if (NOT_DATA.has(key)) continue;
    const path = [...above, key];
    found.push({ owner: value, key, path });
    fieldsBelow(value[key], found, path);
  }
  return found;
}

const edit = fc.record({
  message: fc.nat(),
  place: fc.nat(),
  kind: fc.constantFrom('text', 'number', 'delete', 'splice', 'swap', 'replace', 'copy'),
});

/** An edit that an application may make between two requests. */
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
  const found = fieldsBelow(messages[at]);
  if (found.length === 0) return;
  const { owner, key } = /** @type {{ owner: any, key: string }} */ (found[place % found.length]);
  if (kind === 'delete') Array.isArray(owner) ? owner.splice(Number(key), 1) : delete owner[key];
  else if (kind === 'number') owner[key] = 1_700_000_000_000 + place;
  else owner[key] = kind === 'text' ? `edited ${place}` : 'tool_result';
}

/** What is detected once for a message object: its form, and for an unknown form whether it may hold calls. @param {any} message */
function formKey(message) {
  const form = formOf(message);
  return `${form} ${dialectOf(form, message) === null} ${mayHoldCalls(message, form)}`;
}

describe('R0.4 a conversation after edits is prepared like a new one', () => {
  for (const dialect of Object.keys(DIALECTS)) {
    test(`${dialect}: after random edits in place, splices, swaps and copies`, () => {
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
            // The form of a message object is detected once, so an edit that changes the form needs a new object.
            messages.forEach((message, index) => {
              if (forms.get(message) === formKey(message)) return;
              messages[index] = copies(dialect, [message])[0];
              forms.set(messages[index], formKey(message));
            });
            const known = product.prepareMessages(messages, given);
            const fresh = product.prepareMessages(copies(dialect, messages), given);
            assert.deepEqual(known.messages, fresh.messages);
            assert.deepEqual(known.report.toJSON(), fresh.report.toJSON());
          }
        },
      );
      fc.assert(property, runs(0.04));
    });
  }
});

/** Another value of the same type. @param {unknown} value */
function edited(value) {
  if (typeof value === 'string') return `${value} edited`;
  if (typeof value === 'number') return value + 60_000;
  return typeof value === 'boolean' ? !value : 'edited';
}

/** A session whose results are replaced; three random ones may have none. */
const WITH_OLD_RESULTS = fc.sample(neutralSession(2), { numRuns: 1, seed: 3 });

describe('R0.4 each single edit in place is noticed', () => {
  const otherCounter = new product.TokenCounter();
  const options = { terminal: { keepRecent: 1, maxAgeMs: 0 }, fileReads: { keepRecent: 1 } };
  let replaced = 0;
  for (const dialect of Object.keys(DIALECTS)) {
    test(`${dialect}: prepareMessages and TokenCounter read each edited field again`, () => {
      const property = fc.property(neutralSession(2), (session) => {
        const given = { ...options, now: session.end + 1e9 };
        const { messages } = convert(session, dialect, { times: true });
        const counter = new product.TokenCounter();
        product.prepareMessages(messages, given);
        counter.countMessages(messages);
        for (const message of messages) {
          for (const { owner, key } of fieldsBelow(message)) {
            const [before, form] = [owner[key], formKey(message)];
            if (before !== null && typeof before === 'object') continue;
            owner[key] = edited(before);
            // A message whose form an edit changed is still read in its first form.
            if (formKey(message) === form) {
              const [known, fresh] = [messages, copies(dialect, messages)].map((all) =>
                product.prepareMessages(all, given),
              );
              assert.deepEqual(known?.messages, fresh?.messages, `${key}: ${String(before).slice(0, 40)}`);
              assert.deepEqual(known?.report.toJSON(), fresh?.report.toJSON());
              const counts = [counter.countMessages([message]), otherCounter.countMessages(copies(dialect, [message]))];
              assert.equal(counts[0], counts[1], `${key} counts`);
            }
            owner[key] = before;
          }
        }
      });
      fc.assert(property, { numRuns: 1 });
    });

    test(`${dialect}: a view sends each edited field`, () => {
      const at = (/** @type {any} */ message, /** @type {string[]} */ path) =>
        path.reduce((held, key) => held?.[key], message);
      const property = fc.property(neutralSession(2), (session) => {
        const { messages } = convert(session, dialect, { times: true });
        const now = session.end + 1e9;
        const newView = () => new product.ContextView({ ...options, price: 'none', orphans: false });
        const view = newView();
        view.project(messages, { now });
        for (const [index, message] of messages.entries()) {
          for (const { owner, key, path } of fieldsBelow(message)) {
            const [before, form] = [owner[key], formKey(message)];
            if (before !== null && typeof before === 'object') continue;
            const sent = view.project(messages, { now }).messages[index];
            if (sent !== message) replaced++;
            // A replaced value isn't sent.
            if (!Object.is(at(sent, path), before)) continue;
            owner[key] = edited(before);
            if (formKey(message) === form) {
              const after = view.project(messages, { now }).messages[index];
              const isSent = after === message || Object.is(at(after, path), owner[key]);
              // An edit may make a result outdated.
              const [expected] = isSent ? [] : [newView().project(copies(dialect, messages), { now }).messages[index]];
              assert.ok(isSent || at(expected, path) === at(after, path), `${path}: ${String(before).slice(0, 40)}`);
            }
            owner[key] = before;
          }
        }
      });
      fc.assert(property, { numRuns: 3, examples: WITH_OLD_RESULTS.map((session) => [session]) });
    });
  }

  test('some edited messages had a replaced result', () => assert.ok(replaced > 0));
});
