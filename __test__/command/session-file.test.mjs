// @ts-check
/** Which files `readSession` accepts as message lists, and its errors for other files. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { findJsonError } from '../../bin/json-error.mjs';
import { readSession, SessionFileError } from '../../bin/session-file.mjs';

const directory = mkdtempSync(join(tmpdir(), 'palimpsest-session-'));
after(() => rmSync(directory, { recursive: true, force: true }));

/**
 * @param {string} name
 * @param {string | Buffer} content
 */
function file(name, content) {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

/**
 * @param {string} path
 * @returns {SessionFileError}
 */
function refusalOf(path) {
  try {
    readSession(path);
  } catch (error) {
    assert.ok(error instanceof SessionFileError, String(error));
    return error;
  }
  return assert.fail(`${path} was accepted as a session`);
}

const hello = { role: 'user', content: '你好' };

describe('readSession accepts message lists', () => {
  test('an array, an object with messages, and JSON lines have the same messages', () => {
    const messages = [hello, { role: 'assistant', content: 'hi' }];
    const forms = {
      array: JSON.stringify(messages, null, 2),
      object: JSON.stringify({ source: { projectRoot: '/w' }, messages }),
      lines: messages.map((message) => JSON.stringify(message)).join('\n'),
    };
    for (const [format, text] of Object.entries(forms)) {
      for (const [form, variant] of Object.entries({
        plain: text,
        bom: `\uFEFF${text}`,
        crlf: text.replace(/\n/g, '\r\n'),
      })) {
        const session = readSession(file(`${format}-${form}`, variant));
        assert.deepEqual(session.messages, messages, `${format}, ${form}`);
        assert.equal(session.format, format);
      }
    }
    assert.deepEqual(readSession(join(directory, 'object-plain')).source, { projectRoot: '/w' });
  });

  test('one message on one line, and lines between blank lines, are JSON lines', () => {
    assert.equal(readSession(file('one', JSON.stringify(hello))).format, 'lines');
    assert.equal(
      readSession(file('blank', `\n${JSON.stringify(hello)}\n\n${JSON.stringify(hello)}\n`)).messages.length,
      2,
    );
  });

  test('entries that are not messages keep their places and are counted', () => {
    const messages = [null, 7, 'text', [], {}, hello, { role: 5 }];
    const session = readSession(file('mixed.json', JSON.stringify(messages)));
    assert.deepEqual(session.messages, messages);
    assert.equal(session.oddEntries, 6);
  });
});

describe('readSession refuses other files', () => {
  /** @type {[string, string, string | Buffer, RegExp, number?][]} */
  const cases = [
    ['an empty file', 'empty', '', /the file is empty/],
    ['white space', 'space', ' \n\t', /only white space/],
    ['a binary file', 'binary', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]), /binary/],
    ['UTF-16', 'utf16', Buffer.from('\uFEFF[{"role":"user"}]', 'utf16le'), /UTF-16/],
    ['prose', 'prose.md', '# Title\n\ntext\n', /got text that starts with "#"/, 1],
    ['an empty array', 'none.json', '[]', /expected at least one message .*; got an empty array/],
    ['an array of numbers', 'numbers.json', '[1, 2]', /got 2 without one; the first is a number/],
    [
      'an object without messages',
      'package.json',
      '{"name":"x","version":"1"}',
      /got an object with "name", "version"/,
    ],
    [
      'messages that are no array',
      'map.json',
      '{"messages":{"a":1}}',
      /"messages" to be an array; got an object with "a"/,
    ],
    ['a string', 'string.json', '"text"', /got a string/],
    ['null', 'null.json', 'null', /got null/],
    [
      'a missing comma',
      'comma.json',
      '{"messages": [\n{"role":"user"}\n{"role":"user"}\n]}',
      /expected "," or "]"; got "{"/,
      3,
    ],
    [
      'a file that was cut off',
      'cut.json',
      '[\n{"role":"user","content":"abc',
      /closing quote of a string; got the end/,
      2,
    ],
    ['JSON lines with a broken line', 'lines', '{"role":"user"}\n{"role":"user"}\n{"role":user}\n', /got "u" where/, 3],
    [
      'JSON lines without messages',
      'log.jsonl',
      '{"level":"info"}\n{"level":"warn"}\n',
      /the first is an object with "level"/,
      1,
    ],
    ['a broken first line', 'first.jsonl', '{"role"}\n{"role":"user"}\n', /where ":" belongs/, 1],
  ];
  for (const [what, name, content, pattern, line] of cases) {
    test(`the error for ${what} has the expected and the found content, and the line`, () => {
      const error = refusalOf(file(name, content));
      assert.match(error.message, pattern);
      assert.match(error.message, /expected/);
      assert.equal(error.line, line);
      assert.ok(error.located.startsWith(line === undefined ? `${error.file}: ` : `${error.file}:${line}:`));
    });
  }

  test('the error names a directory as a directory, and a missing file as missing', () => {
    mkdirSync(join(directory, 'folder'));
    assert.match(refusalOf(join(directory, 'folder')).message, /directory/);
    assert.match(refusalOf(join(directory, 'nowhere')).message, /no such file/);
  });

  test('a file nested 100,000 levels deep is refused without a stack overflow', () => {
    assert.match(refusalOf(file('deep.json', '['.repeat(100_000))).message, /got the end of the text/);
  });
});

test('findJsonError finds an error exactly if JSON.parse refuses the text', () => {
  const texts = ['[1,-0.5e3,{"a":[],"b":{}},"\\u12aF\\n",true,null]', '{"messages":[{"role":"user"}]}', ' "x" '];
  const characters = [...'{}[],:"\\ \n\u0001x1-.etrue', ''];
  for (const text of texts) {
    for (let at = 0; at <= text.length; at += 1) {
      for (const character of characters) {
        for (const variant of [
          text.slice(0, at) + character + text.slice(at),
          text.slice(0, at) + character + text.slice(at + 1),
        ]) {
          let valid = true;
          try {
            JSON.parse(variant);
          } catch {
            valid = false;
          }
          assert.equal(findJsonError(variant) === null, valid, JSON.stringify(variant));
        }
      }
    }
  }
});
