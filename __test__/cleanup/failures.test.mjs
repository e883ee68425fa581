// @ts-check
/** One table of forms says what a failed call is; the core's and the sessions' tests read the same file of examples. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ContextView, prepareMessages, simplifyOutdatedTerminalResults } from 'palimpsest';

/**
 * @typedef {'failed' | 'doubtful' | 'succeeded'} Verdict
 * @type {{ texts: { text: string, command: Verdict, other: Verdict }[], marks: { dialect: any, failed: boolean, messages: any[] }[] }}
 */
const forms = JSON.parse(readFileSync(new URL('../fixtures/failures.json', import.meta.url), 'utf8'));
const NOW = 1_800_000_000_000;
/** White space that weighs more than any placeholder, and that no form sees. */
const PADDING = '\n\t \t'.repeat(200);

/** @param {string} name @param {string} content */
const chat = (name, content) => [
  { role: 'user', content: 'go' },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: '{"filePath":"a.txt"}' } }],
  },
  { role: 'tool', tool_call_id: 'call_1', content, timestamp: NOW - 3_600_000 },
  { role: 'assistant', content: 'done', timestamp: NOW },
];
const everything = { terminal: { keepRecent: 0, maxAgeMs: 0 }, fileReads: { keepRecent: 0 }, now: NOW };

/** @param {readonly any[]} before @param {readonly any[]} after */
const stays = (before, after) => JSON.stringify(before) === JSON.stringify(after);

test('R1.5 R10.1 prepareMessages and views keep the result of every call that tells a failure, or may, and no other', () => {
  for (const { text, command, other } of forms.texts) {
    for (const [name, verdict] of Object.entries({ bash: command, 'filesystem-read': other })) {
      const messages = chat(name, text + PADDING);
      const isKept = verdict !== 'succeeded';
      const sent = prepareMessages(messages, everything).messages;
      assert.equal(stays(messages, sent), isKept, `${name}: ${text}`);
      const { now, ...rules } = everything;
      const view = new ContextView({ ...rules, price: 'none' });
      assert.equal(stays(messages, view.project(messages, { now }).messages), isKept, `view, ${name}: ${text}`);
    }
  }
});

test('R1.5 a drop-in function keeps failed commands of every form, with errors: seed those of the reference only', () => {
  for (const { text, command } of forms.texts) {
    const messages = chat('bash', text + PADDING);
    const changed = (/** @type {'exitCode' | 'seed'} */ errors) =>
      simplifyOutdatedTerminalResults([...messages], { now: NOW, keepRecent: 0, errors }).changed > 0;
    assert.equal(changed('exitCode'), command === 'succeeded', text);
    // Only its own two forms are ever kept by the seed's rule.
    if (!changed('seed')) assert.match(text, /stderr|std\\u0065rr|Error:/);
  }
});

test('R11.3 a result that its own mark calls failed stays in every dialect, and one that is only unmarked goes', () => {
  const long = JSON.stringify(`done${PADDING}`);
  for (const { dialect, failed, messages: given } of forms.marks) {
    const isGemini = dialect === 'gemini';
    const said = isGemini ? { role: 'user', parts: [{ text: 'go' }] } : { role: 'user', content: 'go' };
    const answer = isGemini
      ? { role: 'model', parts: [{ text: 'fine' }] }
      : { role: 'assistant', content: [{ type: 'text', text: 'fine' }] };
    const messages = JSON.parse(JSON.stringify([said, ...given, answer]).replaceAll('"done"', long));
    const sent = prepareMessages(messages, { ...everything, dialect }).messages;
    assert.equal(stays(messages, sent), failed, `${dialect}: ${JSON.stringify(given)}`);
  }
});
