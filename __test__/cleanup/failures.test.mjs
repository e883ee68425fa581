// @ts-check
/** Which calls failed. The tests of the core and of the session files read the same examples. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ContextView, prepareMessages, simplifyOutdatedTerminalResults } from 'palimpsest';
import { exchange } from '../support/histories.mjs';

/**
 * @typedef {'failed' | 'doubtful' | 'succeeded'} Verdict
 * @type {{ texts: { text: string, command: Verdict, other: Verdict }[], marks: { dialect: any, failed: boolean, messages: any[] }[] }}
 */
const forms = JSON.parse(readFileSync(new URL('../fixtures/failures.json', import.meta.url), 'utf8'));
const NOW = 1_800_000_000_000;
/** White space longer than any placeholder, which no form of a failure contains. */
const PADDING = '\n\t \t'.repeat(200);

/** @param {string} name @param {string} content */
const chat = (name, content) => [
  { role: 'user', content: 'go' },
  ...exchange('call_1', name, { filePath: 'a.txt' }, content, { timestamp: NOW - 3_600_000 }),
  { role: 'assistant', content: 'done', timestamp: NOW },
];
/** Options with which every successful result is outdated. */
const REPLACE_ALL = { terminal: { keepRecent: 0, maxAgeMs: 0 }, fileReads: { keepRecent: 0 }, now: NOW };

/** @param {readonly any[]} before @param {readonly any[]} after */
const isSame = (before, after) => JSON.stringify(before) === JSON.stringify(after);

test('R1.5 prepareMessages and views keep exactly the results whose text shows a failure, or may show one', () => {
  for (const { text, command, other } of forms.texts) {
    for (const [name, verdict] of Object.entries({ bash: command, 'filesystem-read': other })) {
      const messages = chat(name, text + PADDING);
      const isKept = verdict !== 'succeeded';
      const sent = prepareMessages(messages, REPLACE_ALL).messages;
      assert.equal(isSame(messages, sent), isKept, `${name}: ${text}`);
      const { now, ...rules } = REPLACE_ALL;
      const view = new ContextView({ ...rules, price: 'none' });
      assert.equal(isSame(messages, view.project(messages, { now }).messages), isKept, `view, ${name}: ${text}`);
    }
  }
});

test("R1.5 a drop-in function keeps failed commands of every form, and with `errors: 'seed'` only of two forms", () => {
  for (const { text, command } of forms.texts) {
    const messages = chat('bash', text + PADDING);
    const changed = (/** @type {'exitCode' | 'seed'} */ errors) =>
      simplifyOutdatedTerminalResults([...messages], { now: NOW, keepRecent: 0, errors }).changed > 0;
    assert.equal(changed('exitCode'), command === 'succeeded', text);
    if (!changed('seed')) assert.match(text, /stderr|std\\u0065rr|Error:/);
  }
});

test('R11.3 a result whose dialect marks it as failed stays, and one without the mark is replaced', () => {
  const long = JSON.stringify(`done${PADDING}`);
  for (const { dialect, failed, messages: given } of forms.marks) {
    const isGemini = dialect === 'gemini';
    const request = isGemini ? { role: 'user', parts: [{ text: 'go' }] } : { role: 'user', content: 'go' };
    const answer = isGemini
      ? { role: 'model', parts: [{ text: 'fine' }] }
      : { role: 'assistant', content: [{ type: 'text', text: 'fine' }] };
    const messages = JSON.parse(JSON.stringify([request, ...given, answer]).replaceAll('"done"', long));
    const sent = prepareMessages(messages, { ...REPLACE_ALL, dialect }).messages;
    assert.equal(isSame(messages, sent), failed, `${dialect}: ${JSON.stringify(given)}`);
  }
});
