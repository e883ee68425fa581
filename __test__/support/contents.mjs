// @ts-check
/** Random contents of messages: outputs, terminal JSON and invalid JSON, arguments of calls. */
import fc from 'fast-check';
import { weighted } from './weighted.mjs';

const { constant, constantFrom } = fc;

const output = constantFrom(
  '',
  'done',
  '构建成功',
  '"exitCode":7 in text',
  'a\u0000b\u001b[31m',
  '\ud800',
  'x'.repeat(300),
);

const terminalJson = fc
  .record({ stdout: output, stderr: constantFrom('', '', '', 'warning'), exitCode: constantFrom(0, 0, 0, 1) })
  .map((result) => JSON.stringify(result));
const withAppended = fc
  .tuple(terminalJson, constantFrom('\n[hook] warning', ' {"stderr":"","exitCode":0}', '\n{', '}', ' \n', 'x'))
  .map(([json, appended]) => json + appended);

/** JSON that pattern matching, serde_json, or another language's definition of white space would treat differently. */
const INVALID_JSON = [
  '{"stderr":"first","stderr":""}',
  '{"stderr":"","stderr":"last"}',
  '{"exitCode":1,"exitCode":0}',
  '{"exitCode":0,"exitCode":1}',
  '{"stdout":{"stderr":"nested","exitCode":2}}',
  '{"stdout":"","result":[{"exitCode":2}]}',
  '{"std\\u0065rr":"escaped key"}',
  '{"exit\\u0043ode":3}',
  '{"stderr":"\\"stderr\\":"}',
  '{"stderr":[]}',
  '{"stderr":[ ]}',
  '{"stderr":[""]}',
  '{"stderr":{}}',
  '{"stderr":{"length":3}}',
  '{"stderr":5}',
  '{"stderr":true}',
  '{"stderr":null,"exitCode":null}',
  '{"exitCode":"1"}',
  '{"exitCode":"0"}',
  '{"exitCode":"\\u0030"}',
  '{"exitCode":"ENOENT"}',
  '{"exitCode":""}',
  '{"exitCode":null}',
  '{"exitCode":null,"exitCode":0}',
  '{"exitCode":false}',
  '{"exitCode":{"exitCode":1}}',
  '{"stdout":"","stderr":"boom","exitCode":1}\n[hook] warning',
  '{"stdout":"","stderr":"","exitCode":0}\n[hook] {"exitCode":1}',
  '{"stdout":"","stderr":"","exitCode":1}\n[hook] {"stderr":"","exitCode":0}',
  '{"stdout":"}","stderr":"x"}{"stderr":"","exitCode":0}',
  '{"stderr":"{",":":"}"} and more',
  '{"exitCode":1}}',
  '{"stderr":"unclosed',
  '{"a":{"stderr":"","exitCode":0}',
  '{"exitCode":-0}',
  '{"exitCode":0.0}',
  '{"exitCode":0e9}',
  '{"exitCode":1e-400}',
  '{"exitCode":1e400}',
  '{"exitCode":-1}',
  '{"exitCode":01}',
  '{"exitCode":1,}',
  '{"exitCode":1}x',
  '{"exitCode":1',
  "{'exitCode':1}",
  '[{"exitCode":1}]',
  '"exitCode":1',
  ' \n\t{"exitCode":1}\r\n',
  '\ufeff{"exitCode":1}',
  '\u00a0{"exitCode":1}',
  '{"exitCode":1}\u2028',
  '{"stderr":"\ud800"}',
  '{"stderr":"\\ud800"}',
  '{"stderr":"\u2028"}',
  '{"stderr":"raw\nline"}',
  '{"stderr":"bad \\x escape"}',
  '{"__proto__":{"stderr":"inherited","exitCode":1},"stdout":""}',
  '{"__proto__":null,"exitCode":1}',
  `{"stdout":${'['.repeat(200)}${']'.repeat(200)},"exitCode":1}`,
  `{"stdout":${'['.repeat(200)}${']'.repeat(199)},"exitCode":1}`,
  '{"stdout" : "", "exitCode" : 1}',
  '{"exitCode":1.5E+2}',
  '{"exitCode":.5}',
  '{"exitCode":NaN}',
  '{}',
  '',
];

/** U+0085, U+180E and U+200B are white space in some languages, but not for `trim`. */
const LEADS = ['', ' ', '\n\t', '\ufeff', '\u00a0', '\u2028', '\u3000', '\u0085', '\u180e', '\u200b', '\u0000', 'x '];

const errorText = fc
  .tuple(constantFrom(...LEADS), constantFrom('Error:', 'Error: no such file', 'error: no', 'Errors: 3', 'Error'))
  .map(([lead, text]) => lead + text);

const INVALID_CONTENTS = [
  undefined,
  null,
  0,
  [{ type: 'text', text: 'Error: as parts' }],
  [],
  { stderr: 'object' },
  '此命令返回内容已过时',
  '[该文件的历史读取内容已压缩,请参看最新读取结果]',
  '本次搜索结果已过时,故精简为占位符',
  'gone',
];

/** The content of a tool result. */
export const content = weighted(
  [8, terminalJson],
  [1, withAppended],
  [5, constantFrom('1→import x', '📄 a.ts\n1→中文', 'a file that says "stdout": and more', '\udc00 lone')],
  [3, errorText],
  [3, constantFrom(...INVALID_JSON)],
  [2, constantFrom(...INVALID_CONTENTS)],
);

/** Different spellings of a few files, so that their reads accumulate. */
const PATHS = [
  'src/a.ts',
  './src/a.ts',
  'src//a.ts',
  'src/./a.ts/',
  'src/b/../a.ts',
  '/home/me/app/src/a.ts',
  '../app/src/a.ts',
  'src/b.ts',
  'src/B.ts',
  '/home/me/app/src/b.ts',
  '/home/me/other/a.ts',
  '../other/a.ts',
  'src/组件.ts',
  'src\\a.ts',
  'F:\\Projects\\snow\\src\\a.ts',
  'f:/Projects/snow/src/a.ts',
  'C:\\x\\..\\y',
  'c:/y',
  '\\\\srv\\share\\a\\..\\b',
  '\\\\srv\\share\\b\\',
  ' src/a.ts',
  'src/\ud800',
  '.',
  '/home/me/app',
  '/../..',
  '\u0085',
];
const BLANK = ['', ' ', '\ufeff\u00a0', '\n'];

const path = weighted(
  [12, constantFrom(...PATHS.slice(0, 7))],
  [8, constantFrom(...PATHS)],
  [1, constantFrom(...BLANK)],
);
const pathEntry = weighted(
  [6, path],
  [3, path.map((name) => ({ path: name, startLine: 1 }))],
  [1, constantFrom(null, 5, true, {}, { path: 3 }, { file: 'src/a.ts' }, ['src/a.ts'], { path: ['src/a.ts'] })],
);
const named = weighted([6, path], [3, fc.array(pathEntry, { maxLength: 4 })], [1, constantFrom(null, 0, true)]);

const INVALID_ARGUMENTS = [
  '',
  ' ',
  '{',
  'null',
  '[]',
  '["src/a.ts"]',
  '"src/a.ts"',
  '{}',
  '{"filePath":"src/a.ts","filePath":"src/b.ts"}',
  '{"filePath":["src/a.ts"],"filePath":null}',
  '{"file\\u0050ath":"src\\/a.ts"}',
  '{"filePath":"src/a.ts"',
  ' {"filePath":"src/a.ts"}\n',
  '\ufeff{"filePath":"src/a.ts"}',
  '{"nested":{"filePath":"src/a.ts"}}',
  '{"filePath":[{"path":"src/b.ts","path":"src/a.ts"}]}',
  '{"__proto__":{"filePath":"src/a.ts"}}',
  '{"filePath":[{"__proto__":{"path":"src/a.ts"}}]}',
  '{"filePath":"src/\\ud83d\\ude00.ts"}',
  undefined,
  null,
  { filePath: 'src/a.ts' },
  ['src/a.ts'],
];

/** The `arguments` of a tool call. */
export const argumentsText = weighted(
  [12, named.map((filePath) => JSON.stringify({ filePath, startLine: 1 }))],
  [2, fc.tuple(named, named).map(([filePath, other]) => JSON.stringify({ path: other, filePath }))],
  [2, constantFrom(...INVALID_ARGUMENTS)],
  [1, constant('{"command":"npm test"}')],
);

/** The placeholder of binary data of this length. @param {number} units */
export const filtered = (units) => `[LARGE_DATA_FILTERED: ${(units / 1024).toFixed(1)}KB]`;

/** Base64 in lines. @param {string} text @param {number} [width] @param {string} [lineBreak] */
export const wrapped = (text, width = 76, lineBreak = '\n') =>
  (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(lineBreak);
