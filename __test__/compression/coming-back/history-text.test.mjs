// @ts-check
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
/** Text that a terminal gives other widths than units. */
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

/** The messages as a walk through all levels finds them. @param {readonly any[]} messages */
function walkedThrough(messages) {
  const found = [];
  for (const step of levels.walk(messages, true)) {
    if (step.kind !== 'message') continue;
    const { message, isRepeated } = levels.originalOf(step.level.messages[step.index], step.ids);
    if (!isRepeated) found.push(message);
  }
  return found;
}

describe('R8.2 the history as text', () => {
  test('has each compression with its figures, its summary, and all that it stands for, level within level', async () => {
    const { messages, said } = await compressedSession();
    const [{ compression }] = messages.filter(({ isCompressed }) => isCompressed);
    const rendered = renderCompressionHistory(messages, { width: 100 });
    const count = (/** @type {number} */ value) => value.toLocaleString('en');
    assert.match(rendered, new RegExp(`^${said.length} messages · 3 compressions · [\\d,]+ tokens saved\n`));
    for (const level of [1, 2, 3]) assert.match(rendered, new RegExp(`▼ Summarised · level ${level} · .*20\\d\\d`));
    assert.ok(rendered.includes(`${compression.beforeCount} → ${compression.afterCount} messages`));
    assert.ok(rendered.includes(`${count(compression.tokensBefore)} → ${count(compression.tokensAfter)} tokens`));
    assert.ok(rendered.includes('small-model'));
    for (let step = 1; step <= 42; step++)
      assert.equal(rendered.split(`Step ${step}: `).length, 2, `step ${step}, once`);
    assert.match(rendered, /^│ │ │ Assistant$/m);
    assert.match(rendered, /→ read_file \{"path"/);
  });

  test('leaves out the originals, cuts longer texts and says by how much, and speaks Chinese, where it is asked to', async () => {
    const { messages } = await compressedSession({ language: 'zh', rounds: 2 });
    const rendered = renderCompressionHistory(messages, { originals: false, language: 'zh', maxCharacters: 40 });
    assert.match(rendered, /^\d+ 条消息 · 2 次压缩/);
    assert.match(rendered, /▶ 已压缩为摘要 · 第 2 级/);
    assert.doesNotMatch(rendered, /│/);
    assert.match(rendered, /… 还有 [\d,]+ 个字符/);
    const whole = renderCompressionHistory(messages, { originals: false, maxCharacters: Number.POSITIVE_INFINITY });
    assert.doesNotMatch(whole, /more characters/);
  });

  test('marks a cut at the hard limit as one', async () => {
    const { messages } = await compressedSession({ rounds: 2, isCut: true });
    assert.match(renderCompressionHistory(messages), /▼ Cut at the hard limit/);
  });

  test('has no line that is wider than the terminal, no control that it would obey, and with colours the same text', () => {
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
        // Names and figures are never broken; what is said in a line of its own is.
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

  test('wrapping loses nothing but white space at the breaks', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 40 }), (given, width) => {
        const line = given.replaceAll(/\p{Cc}|\u202e/gu, '');
        const lines = wrapLine(line, width);
        assert.equal(lines.join('').replaceAll(' ', ''), line.replaceAll(' ', ''));
        for (const one of lines) assert.ok(displayWidth(one) <= width || display.graphemesOf(one).length === 1, one);
      }),
      runs(0.2),
    );
  });

  test('is there for an empty history, for odd messages, damaged records, and ten thousand levels', () => {
    assert.equal(renderCompressionHistory([]), 'No messages yet.\n');
    const made = (/** @type {any} */ compression) => ({ role: 'user', content: 'x', isCompressed: true, compression });
    const odd = [
      null,
      7,
      { role: {} },
      made(7),
      made({ originalMessages: 7 }),
      made({ archive: { sessionId: 's', id: 'x' }, messageCount: 4 }),
    ];
    const rendered = renderCompressionHistory(odd);
    assert.match(rendered, /^8 messages/, 'those in the archive count');
    assert.match(rendered, /the record is damaged/);
    assert.match(rendered, /lie in an archive/);
    /** @type {any} */
    const own = { id: 'own', originalMessages: [] };
    own.originalMessages.push(made(own));
    assert.match(renderCompressionHistory([made(own)]), /the record is damaged/);
    let deep = made({ originalMessages: [{ role: 'user', content: 'the first' }] });
    for (let level = 0; level < 10_000; level++) deep = made({ originalMessages: [deep] });
    assert.match(renderCompressionHistory([deep]), /the first/);
  });
});

describe('REQ-3.7 what is behind compressions', () => {
  for (const dialect of Object.keys(DIALECTS)) {
    test(`is all that expandHistory gives back, in ${dialect}, and in words`, async () => {
      const { messages: all } = convert(longSession(20), dialect);
      const { manager } = managerWith({ config: configuration({ maxContextTokens: 3_000 }) });
      /** @type {any[]} */
      const stored = [];
      for (let from = 0; from < all.length; from += 20) {
        stored.push(...all.slice(from, from + 20));
        await manager.process(stored, { now: NOW });
      }
      const saved = JSON.parse(JSON.stringify(stored));
      assert.deepEqual(walkedThrough(saved), expandHistory(saved));
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
