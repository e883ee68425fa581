// @ts-check
/** The worked examples of docs/cleanup.md. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  ContextView,
  prepareMessages,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
  simplifyTextSearchResults,
  simplifyToolResults,
} from 'palimpsest';
import { file, palimpsest, shell } from '../support/command.mjs';
import { runs } from '../support/comparison.mjs';
import { exchange } from '../support/histories.mjs';

const NOW = 1_780_000_000_000;
const HOUR = 3_600_000;
const LONG = 'a line of output\n'.repeat(10);
const TEXTS = {
  terminal: { zh: '此命令返回内容已过时', en: '[Outdated command output removed]' },
  fileReads: {
    zh: '[该文件的历史读取内容已压缩,请参看最新读取结果]',
    en: '[Earlier read of this file removed: see its latest read]',
  },
  textSearch: { zh: '本次搜索结果已过时,故精简为占位符', en: '[Outdated search results removed]' },
};
const PRESETS = /** @type {const} */ ([
  ['terminal', 'bash', simplifyOutdatedTerminalResults],
  ['fileReads', 'filesystem-read', simplifyHistoricalFileReads],
  ['textSearch', 'ace-text_search', simplifyTextSearchResults],
]);

let calls = 0;
/**
 * A call and its result, which is one hour old.
 * @param {string} name @param {string} content @param {{ timestamp?: number, args?: object }} [fields]
 */
const called = (name, content, { timestamp = NOW - HOUR, args = { filePath: 'src/a.ts' } } = {}) =>
  exchange(`c${calls++}`, name, args, content, { timestamp });

/** Followed by an assistant message. @param {string} name @param {string} content */
const answered = (name, content) => [...called(name, content), { role: 'assistant', content: 'Done.' }];

/** Keeps none of the newest results. */
const KEEP_NONE = { keepRecent: 0 };

/** @param {string} content @param {object} [options] */
function terminal(content, options) {
  const api = called('bash', content);
  simplifyOutdatedTerminalResults(api, { keepRecent: 0, now: NOW, ...options });
  return api[1].content;
}

describe('errors', () => {
  const BOOM = '{"stdout":"","stderr":"boom","exitCode":1}';
  for (const [why, content] of [
    ['a hook appended a warning to a failed command', `${BOOM}\n[hook] PostToolUse: lint found 2 problems`],
    ['a hook appended a successful result of its own', `${BOOM}\n{"stdout":"","stderr":"","exitCode":0}`],
    ['the command was killed by a signal: exitCode is null', '{"stdout":"partial","stderr":"","exitCode":null}'],
    ['the command was never started: exitCode is "ENOENT"', '{"stdout":"","stderr":"","exitCode":"ENOENT"}'],
    ['the last exitCode counts', '{"exitCode":0,"exitCode":2}'],
  ]) {
    test(`R1.5 a result stays if ${why}, and is replaced with \`errors: 'seed'\``, () => {
      assert.equal(terminal(content), content);
      assert.equal(terminal(content, { errors: 'seed' }), TEXTS.terminal.zh);
    });
  }

  for (const [why, content] of [
    ['a hook appended a warning to a successful command', '{"stdout":"ok","stderr":"","exitCode":0}\n[hook] warning'],
    ['exitCode is "0"', '{"stdout":"ok","stderr":"","exitCode":"0"}'],
    ['the failure is quoted: nested keys do not count', '{"stdout":{"exitCode":1},"stderr":"","exitCode":0}'],
    ['the object is not complete', '{"stdout":"","stderr":"boom","exitCode":1'],
    ['the object is not at the start', `hook: \n${BOOM}`],
    ['it is plain text of a declared terminal tool', 'Segmentation fault (core dumped)'],
  ]) {
    test(`R1.5 a result is replaced if ${why}`, () => assert.equal(terminal(content), TEXTS.terminal.zh));
  }
});

describe('equal timestamps', () => {
  test('R1.2 of results with one timestamp, those later in the array are newer', () => {
    const api = Array.from({ length: 7 }, (_, index) => called('bash', `${index} ${LONG}`)).flat();
    const { indices } = simplifyOutdatedTerminalResults(api, { now: NOW });
    assert.deepEqual(indices, [1, 3]);
  });

  test('R2.4 of parallel reads with one timestamp, the first one is replaced', () => {
    const api = Array.from({ length: 6 }, (_, index) => called('filesystem-read', `${index} ${LONG}`)).flat();
    assert.deepEqual(simplifyHistoricalFileReads(api, { projectRoot: '/app' }).indices, [1]);
  });
});

describe('a batch read that names a path several times', () => {
  const batch = { filePath: ['src/a.ts', './src/a.ts', { path: '/app/src/x/../a.ts' }] };

  test('R2.5 counts as one read of the path', () => {
    const api = [
      ...called('filesystem-read', LONG),
      ...called('filesystem-read', LONG, { args: batch }),
      ...called('filesystem-read', LONG),
    ];
    const { indices } = simplifyHistoricalFileReads(api, { keepRecent: 2, projectRoot: '/app' });
    assert.deepEqual(indices, [1], 'three reads of src/a.ts, of which two stay');
  });

  test('R3b.3 counts once in `byPath` of the report', () => {
    const api = called('filesystem-read', LONG, { args: batch });
    const { byRule } = simplifyHistoricalFileReads(api, { ...KEEP_NONE, projectRoot: '/app' });
    assert.deepEqual(Object.keys(byRule.fileReads?.byPath ?? {}), ['src/a.ts']);
    assert.equal(byRule.fileReads?.byPath?.['src/a.ts']?.changed, 1);
  });
});

describe('a result that is not longer than its placeholder', () => {
  const limit = TEXTS.terminal.zh.length;
  for (const [content, isReplaced] of /** @type {[string, boolean][]} */ ([
    ['ok', false],
    ['x'.repeat(limit), false],
    ['x'.repeat(limit + 1), true],
  ])) {
    test(`R3b.2 prepareMessages ${isReplaced ? 'replaces' : 'keeps'} a result of ${content.length} units if the placeholder has ${limit}`, () => {
      const stored = answered('bash', content);
      const options = { terminal: { keepRecent: 0 }, placeholderLanguage: /** @type {const} */ ('zh') };
      const { messages, report } = prepareMessages(stored, { ...options, now: NOW });
      assert.equal(/** @type {any} */ (messages[1]).content, isReplaced ? TEXTS.terminal.zh : content);
      assert.equal(report.unitsRemoved, isReplaced ? 1 : 0);
    });

    test(`R1.3 the drop-in function replaces a result of ${content.length} units`, () => {
      assert.equal(terminal(content), TEXTS.terminal.zh);
    });
  }

  test('R3b.2 stays with a custom rule whose filled-in placeholder is as long', () => {
    const rule = { name: 'own', tools: ['bash'], keepRecent: 0, placeholder: '{tool}: {chars}' };
    for (const [content, changed] of /** @type {const} */ ([
      ['1234567', 0],
      ['12345678', 1],
    ])) {
      assert.equal(simplifyToolResults(called('bash', content), [rule], { now: NOW }).changed, changed, content);
    }
  });

  test('R3b.2 is sent whole again once `{age}` makes its placeholder as long', () => {
    const stored = answered('bash', '123456');
    const options = {
      terminal: false,
      rules: [{ name: 'own', tools: ['bash'], keepRecent: 0, placeholder: '{age}' }],
    };
    const at = (/** @type {number} */ minutes) =>
      prepareMessages(stored, { ...options, now: NOW - HOUR + minutes * 60_000 });
    assert.equal(at(9).report.changed, 1, '9 min');
    assert.equal(at(10).report.changed, 0, '10 min is as long as the result');
  });
});

describe('placeholderLanguage', () => {
  for (const [preset, tool, simplify] of PRESETS) {
    test(`${preset}: the drop-in function writes Chinese by default, and \`placeholder\` takes precedence`, () => {
      for (const [options, expected] of /** @type {[object, string][]} */ ([
        [{}, TEXTS[preset].zh],
        [{ placeholderLanguage: 'zh' }, TEXTS[preset].zh],
        [{ placeholderLanguage: 'en' }, TEXTS[preset].en],
        [{ placeholderLanguage: 'en', placeholder: 'gone' }, 'gone'],
      ])) {
        const api = called(tool, LONG);
        simplify(api, { ...KEEP_NONE, now: NOW, ...options });
        assert.equal(api[1].content, expected);
      }
    });

    test(`R1.6 ${preset}: a placeholder in either language stays and is not counted`, () => {
      for (const text of [TEXTS[preset].zh, TEXTS[preset].en]) {
        for (const options of [
          {},
          { placeholderLanguage: 'en' },
          { placeholder: 'gone' },
          { placeholder: '{chars}' },
        ]) {
          const api = called(tool, text);
          const given = /** @type {any} */ ({ ...KEEP_NONE, ...options });
          assert.equal(simplify(api, { ...given, now: NOW }).changed, 0);
          assert.equal(prepareMessages(api, { orphans: false, [preset]: given, now: NOW }).report.changed, 0);
          assert.equal(api[1].content, text);
        }
      }
    });

    test(`R3b.2 ${preset}: a preset's own \`placeholderLanguage\` takes precedence over that of prepareMessages`, () => {
      const stored = answered(tool, LONG);
      const contentWith = (/** @type {any} */ own, /** @type {any} */ shared) => {
        const options = { ...shared, [preset]: { ...KEEP_NONE, ...own }, now: NOW };
        return /** @type {any} */ (prepareMessages(stored, options).messages[1]).content;
      };
      assert.equal(contentWith({}, { placeholderLanguage: 'en' }), TEXTS[preset].en);
      assert.equal(contentWith({}, { placeholderLanguage: 'zh' }), TEXTS[preset].zh);
      assert.equal(contentWith({}, {}), TEXTS[preset].en, 'the language of the last call is not kept');
      assert.equal(contentWith({ placeholderLanguage: 'zh' }, { placeholderLanguage: 'en' }), TEXTS[preset].zh);
      assert.equal(contentWith({ placeholderLanguage: 'en' }, {}), TEXTS[preset].en);
    });
  }

  test('R0.3 an unknown `placeholderLanguage` throws a RangeError, and one that is no string a TypeError', () => {
    for (const run of [
      (/** @type {any} */ options) => simplifyOutdatedTerminalResults([], options),
      (/** @type {any} */ options) => prepareMessages([], options),
      (/** @type {any} */ options) => prepareMessages([], { fileReads: options }),
      (/** @type {any} */ options) => new ContextView(options),
    ]) {
      for (const wrong of ['de', 'EN', '']) {
        const error = { name: 'RangeError', code: 'ERR_OUT_OF_RANGE', message: /placeholderLanguage/ };
        assert.throws(() => run({ placeholderLanguage: wrong }), error);
      }
      for (const wrong of [7, true, {}, ['en']]) {
        const error = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE', message: /placeholderLanguage/ };
        assert.throws(() => run({ placeholderLanguage: wrong }), error);
      }
    }
  });

  test('`palimpsest report` counts placeholders in the language of `--placeholder-language`', () => {
    const saved = (/** @type {string[]} */ ...words) => {
      const { stdout } = palimpsest(['report', '--json', ...words, file('shell.json', { messages: shell })]);
      return JSON.parse(stdout).totals.byRule.terminal;
    };
    const [chinese, english] = [saved('--placeholder-language', 'zh'), saved('--placeholder-language', 'en')];
    assert.ok(chinese.changed > 0);
    assert.deepEqual(saved(), english);
    assert.equal(
      chinese.unitsRemoved - english.unitsRemoved,
      english.changed * (TEXTS.terminal.en.length - TEXTS.terminal.zh.length),
    );
    const refused = palimpsest(['report', '--placeholder-language', 'fr', file('shell.json', { messages: shell })]);
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /--placeholder-language: expected zh or en/);
  });
});

test('R1.6 prepareMessages never replaces a placeholder that was stored, whatever the language of each turn', () => {
  const turns = fc.array(fc.record({ en: fc.boolean(), plain: fc.boolean() }), { minLength: 1, maxLength: 12 });
  const property = fc.property(turns, (played) => {
    /** @type {any[]} */ let stored = [];
    played.forEach(({ en, plain }, turn) => {
      stored.push(...called('bash', plain ? LONG : 'ok', { timestamp: NOW + turn * HOUR }));
      const placeholderLanguage = en ? 'en' : 'zh';
      const options = { placeholderLanguage, terminal: { keepRecent: 1 }, now: NOW + turn * HOUR };
      const { messages } = prepareMessages(stored, /** @type {any} */ (options));
      stored.forEach(({ content }, index) => {
        const { content: sent } = /** @type {any} */ (messages[index]);
        if (Object.values(TEXTS.terminal).includes(content) || content === 'ok') assert.equal(sent, content);
      });
      // This application stores what it sent.
      stored = messages;
    });
  });
  fc.assert(property, runs(0.05));
});
