// @ts-check
/** `renderCompressionHistory`: compressions and their originals as text for a terminal. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import * as palimpsest from 'palimpsest';
import display from '../../../lib/display-width.js';
import levels from '../../../lib/history/levels.js';
import { runs } from '../../support/comparison.mjs';
import { compressedSession } from '../../support/compressed-sessions.mjs';
import { configuration, expandHistory, managerWith, NOW } from '../../support/compression.mjs';
import { convert, DIALECTS } from '../../support/dialects.mjs';
import { longSession } from '../../support/neutral-sessions.mjs';

const { renderCompressionHistory } = /** @type {any} */ (palimpsest);
const { displayWidth, wrapLine } = display;
const SGR = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9]+m`, 'g');
const CONTROL = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;
/** Text whose width in a terminal differs from its length. */
const text = fc.string({
  unit: fc.constantFrom(
    'a',
    ' ',
    '词',
    '，',
    '👩‍💻',
    'é',
    '\n',
    '\t',
    '\u202e',
    '\u001b[31m',
    '\u001b[2J',
    '\r',
    'word ',
  ),
});

/** The original messages that `walk` of lib/history/levels.js finds in all levels. @param {readonly any[]} messages */
function originalsByWalk(messages) {
  const originals = [];
  for (const step of levels.walk(messages, true)) {
    if (step.kind !== 'message') continue;
    const { message, isRepeated } = levels.originalOf(step.level.messages[step.index], step.ids);
    if (!isRepeated) originals.push(message);
  }
  return originals;
}

describe('R8.2 renderCompressionHistory', () => {
  test('R8.2 the text has each compression with its figures, its summary and its original messages, indented by level', async () => {
    const { messages, originals: original } = await compressedSession();
    const [{ compression }] = messages.filter(({ isCompressed }) => isCompressed);
    const rendered = renderCompressionHistory(messages, { width: 100 });
    const count = (/** @type {number} */ value) => value.toLocaleString('en');
    assert.match(rendered, new RegExp(`^${original.length} messages · 3 compressions · [\\d,]+ tokens saved\n`));
    for (const level of [1, 2, 3]) assert.match(rendered, new RegExp(`▼ Summarised · level ${level} · .*20\\d\\d`));
    assert.ok(rendered.includes(`${compression.beforeCount} → ${compression.afterCount} messages`));
    assert.ok(rendered.includes(`${count(compression.tokensBefore)} → ${count(compression.tokensAfter)} tokens`));
    assert.ok(rendered.includes('small-model'));
    for (let step = 1; step <= 42; step++)
      assert.equal(rendered.split(`Step ${step}: `).length, 2, `step ${step}, once`);
    assert.match(rendered, /^│ │ │ Assistant$/m);
    assert.match(rendered, /→ read_file \{"path"/);
  });

  test('R8.2 originals false omits the originals, maxCharacters shortens texts, and language zh translates', async () => {
    const { messages } = await compressedSession({ language: 'zh', rounds: 2 });
    const rendered = renderCompressionHistory(messages, { originals: false, language: 'zh', maxCharacters: 40 });
    assert.match(rendered, /^\d+ 条消息 · 2 次压缩/);
    assert.match(rendered, /▶ 已压缩为摘要 · 第 2 级/);
    assert.doesNotMatch(rendered, /│/);
    assert.match(rendered, /… 还有 [\d,]+ 个字符/);
    const whole = renderCompressionHistory(messages, { originals: false, maxCharacters: Number.POSITIVE_INFINITY });
    assert.doesNotMatch(whole, /more characters/);
  });

  test('R8.2 a cut has a heading of its own', async () => {
    const { messages } = await compressedSession({ rounds: 2, isCut: true });
    assert.match(renderCompressionHistory(messages), /▼ Cut at the hard limit/);
  });

  test('R8.2 no line of message text is wider than width, no control character remains, and color keeps the text', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), text, fc.integer({ min: 20, max: 60 }), (texts, summary, width) => {
        const record = {
          id: 'a',
          kind: 'summary',
          level: 1,
          model: summary,
          originalMessages: texts.map((content) => ({ role: 'user', content })),
        };
        const messages = [
          { role: 'user', content: summary, isCompressed: true, compressedAt: NOW, compression: record },
        ];
        const plain = renderCompressionHistory(messages, { width });
        // Headings are never wrapped; the indented lines of message text are.
        for (const line of plain.split('\n').filter((/** @type {string} */ one) => /^(?:│ )* {2}/.test(one))) {
          assert.ok(displayWidth(line) <= width, `${displayWidth(line)} > ${width}: ${line}`);
        }
        assert.doesNotMatch(plain, CONTROL);
        const coloured = renderCompressionHistory(messages, { width, color: true });
        assert.match(coloured, SGR);
        assert.equal(coloured.replace(SGR, '').replaceAll(/ +\n/g, '\n'), plain.replaceAll(/ +\n/g, '\n'));
      }),
      runs(0.1),
    );
  });

  test('R8.2 wrapLine removes only white space at the breaks', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 40 }), (given, width) => {
        const line = given.replaceAll(/\p{Cc}|\u202e/gu, '');
        const lines = wrapLine(line, width);
        assert.equal(lines.join('').replaceAll(' ', ''), line.replaceAll(' ', ''));
        for (const wrapped of lines) {
          assert.ok(displayWidth(wrapped) <= width || display.graphemesOf(wrapped).length === 1, wrapped);
        }
      }),
      runs(0.2),
    );
  });

  test('R8.2 empty histories, invalid messages, damaged records and ten thousand levels are rendered', () => {
    assert.equal(renderCompressionHistory([]), 'No messages yet.\n');
    const summaryWith = (/** @type {any} */ compression) => ({
      role: 'user',
      content: 'x',
      isCompressed: true,
      compression,
    });
    const invalid = [
      null,
      7,
      { role: {} },
      summaryWith(7),
      summaryWith({ originalMessages: 7 }),
      summaryWith({ archive: { sessionId: 's', id: 'x' }, messageCount: 4 }),
    ];
    const rendered = renderCompressionHistory(invalid);
    assert.match(rendered, /^8 messages/, 'the four messages in the archive count');
    assert.match(rendered, /the record is damaged/);
    assert.match(rendered, /lie in an archive/);
    /** @type {any} */
    const cyclic = { id: 'cyclic', originalMessages: [] };
    cyclic.originalMessages.push(summaryWith(cyclic));
    assert.match(renderCompressionHistory([summaryWith(cyclic)]), /the record is damaged/);
    let deep = summaryWith({ originalMessages: [{ role: 'user', content: 'the first' }] });
    for (let level = 0; level < 10_000; level++) deep = summaryWith({ originalMessages: [deep] });
    assert.match(renderCompressionHistory([deep]), /the first/);
  });
});

describe('REQ-3.7 originals shown', () => {
  for (const dialect of Object.keys(DIALECTS)) {
    test(`REQ-3.7 a history of ${dialect} messages is shown with the originals that expandHistory restores`, async () => {
      const { messages: all } = convert(longSession(20), dialect);
      const { manager } = managerWith({ config: configuration({ maxContextTokens: 3_000 }) });
      /** @type {any[]} */
      const stored = [];
      for (let from = 0; from < all.length; from += 20) {
        stored.push(...all.slice(from, from + 20));
        await manager.process(stored, { now: NOW });
      }
      const saved = JSON.parse(JSON.stringify(stored));
      assert.deepEqual(originalsByWalk(saved), expandHistory(saved));
      const rendered = renderCompressionHistory(saved, { maxCharacters: 200 });
      assert.match(rendered, /▼ Summarised/);
      for (const speaker of [
        /System|User/,
        /Assistant/,
        /(Tool|Assistant) · (.* · )?result of terminal-execute/,
        /→ terminal-execute/,
      ])
        assert.match(rendered, speaker);
    });
  }
});
