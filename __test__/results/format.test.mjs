// @ts-check
/** formatToolResultForModel: the text of tool results for the model. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatToolResultForModel } from 'palimpsest';
import { loadToolResultsReference } from '../reference/load-tool-results.mjs';
import { filtered } from '../support/contents.mjs';

const reference = await loadToolResultsReference();
const bytes = randomBytes(30_000);
const image = bytes.toString('base64');
const url = `data:image/png;base64,${image}`;
const filteredImage = filtered(image.length);
const filteredUrl = filtered(url.length);

test('R5.6 random results have the text that the agents’ own function gives', () => {
  const text = fc.oneof(fc.constantFrom(undefined, '', 'ok', '成功', '\ud800'), fc.string());
  const metadata = fc.record(
    { imagePath: text, filePath: text, generationTimeMs: fc.constantFrom(0, 12, 1.5), imageBase64: text },
    { requiredKeys: [] },
  );
  const result = fc.record(
    {
      toolCallId: fc.string(),
      success: fc.boolean(),
      output: text,
      error: text,
      metadata: fc.option(metadata, { nil: undefined }),
    },
    { requiredKeys: ['success'] },
  );
  const property = fc.property(fc.array(result, { maxLength: 4 }), (list) => {
    assert.equal(formatToolResultForModel(list), reference.formatToolResultForModel(/** @type {any} */ (list)));
  });
  fc.assert(property, { numRuns: 3000 });
});

test('R5.6 a failed result’s output follows its error, unless the error ends with the output', () => {
  const failed = { toolCallId: 'a', success: false, error: 'exit code 1', output: '1 of 3 tests failed: adds' };
  assert.equal(formatToolResultForModel([failed]), '✗ a: exit code 1\n1 of 3 tests failed: adds');
  const { error, ...mute } = failed;
  assert.equal(formatToolResultForModel([mute]), '✗ a: Failed\n1 of 3 tests failed: adds');
  const thrown = { ...failed, error: new Error(`Command failed: npm test\n${failed.output}`) };
  assert.equal(formatToolResultForModel([thrown]), '✗ a: Command failed: npm test\n1 of 3 tests failed: adds');
});

test('R5.6 outputs that are no strings are written as JSON, and errors as their message', () => {
  /** @type {any} */
  const cyclic = { name: 'a' };
  cyclic.self = cyclic;
  /** @type {[unknown, string][]} */
  const outputs = [
    [{ stdout: 'ok', exitCode: 0 }, '{"stdout":"ok","exitCode":0}'],
    [['x', 'y'], '["x","y"]'],
    [Object.create(null), '{}'],
    [{ stdout: Buffer.from('bytes of text') }, '{"stdout":"bytes of text"}'],
    [Buffer.from('bytes of text'), 'bytes of text'],
    [{ thrown: new TypeError('no such file') }, '{"thrown":"no such file"}'],
    [new Map([['a', new Set([1])]]), '[["a",[1]]]'],
    [{ size: 12n }, '{"size":"12"}'],
    [cyclic, '{"name":"a","self":"[circular]"}'],
    [{ twice: [cyclic.name, cyclic.name] }, '{"twice":["a","a"]}'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [7, '7'],
    [true, 'true'],
    [Promise.resolve('x'), '(a Promise: is an await missing?)'],
  ];
  for (const [output, text] of outputs) {
    assert.equal(formatToolResultForModel([{ toolCallId: 'a', success: true, output }]), `✓ a: ${text}`);
  }
  /** @type {[unknown, string][]} */
  const errors = [
    [{ message: 'no network', code: 'ENET' }, 'no network'],
    [new RangeError('too long'), 'too long'],
    [new RangeError(), 'RangeError'],
    [
      new AggregateError([new Error('connect ECONNREFUSED ::1:80'), new Error('and 127.0.0.1:80')]),
      'connect ECONNREFUSED ::1:80; and 127.0.0.1:80',
    ],
    [Object.assign(new Error(''), { code: 'ENOENT' }), 'ENOENT'],
    [{ code: 'ENET' }, '{"code":"ENET"}'],
    [['first', 'second'], '["first","second"]'],
  ];
  for (const [error, text] of errors) {
    assert.equal(formatToolResultForModel([{ toolCallId: 'a', success: false, error }]), `✗ a: ${text}`);
  }
});

test('R5.6 no value in a result is written as [object Object]', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const throwing = {
    get any() {
      throw new Error('no');
    },
  };
  const assertIsReadable = (/** @type {any} */ value) => {
    const fields = {
      toolCallId: value,
      output: value,
      error: value,
      metadata: { imagePath: value, filePath: [value] },
    };
    const results = /** @type {any} */ ([null, { success: true, ...fields }, { success: false, ...fields }]);
    assert.ok(!formatToolResultForModel(results).includes('[object'));
  };
  assertIsReadable(proxy);
  assertIsReadable(throwing);
  const anyValue = fc.anything({
    withMap: true,
    withSet: true,
    withDate: true,
    withBigInt: true,
    withTypedArray: true,
  });
  fc.assert(fc.property(anyValue, assertIsReadable), { numRuns: 1000 });
});

test('R5.6 binary data in outputs and errors is replaced', () => {
  const output = { screenshot: image, list: [bytes], json: JSON.stringify({ url }), width: 3 };
  const text = formatToolResultForModel([{ toolCallId: 'a', success: true, output }]);
  const shown = {
    screenshot: filteredImage,
    list: [filtered(30_000)],
    json: JSON.stringify({ url: filteredUrl }),
    width: 3,
  };
  assert.equal(text, `✓ a: ${JSON.stringify(shown)}`);
  assert.equal(
    formatToolResultForModel([{ toolCallId: 'a', success: true, output: `at ${url}` }]),
    `✓ a: at ${filteredUrl}`,
  );
  assert.equal(
    formatToolResultForModel([{ toolCallId: 'a', success: true, output: bytes }]),
    `✓ a: ${filtered(30_000)}`,
  );
  const log = 'a line of a log\n'.repeat(2000);
  assert.equal(formatToolResultForModel([{ toolCallId: 'a', success: true, output: Buffer.from(log) }]), `✓ a: ${log}`);
  const failed = { toolCallId: 'a', success: false, error: { message: `no ${url}` }, output: { data: image } };
  assert.equal(formatToolResultForModel([failed]), `✗ a: no ${filteredUrl}\n{"data":"${filteredImage}"}`);
});

test('R5.6 an MCP result has no `success`, and fails only with `isError: true`', () => {
  const format = (/** @type {any} */ result) => formatToolResultForModel([result]);
  assert.equal(format({ content: [{ type: 'text', text: '12 °C' }] }), '✓ 12 °C');
  assert.equal(format({ toolCallId: 'a', content: [{ type: 'text', text: '12 °C' }], isError: false }), '✓ a: 12 °C');
  assert.equal(format({ content: [{ type: 'text', text: 'no such city' }], isError: true }), '✗ no such city');
  assert.equal(format({ content: [], isError: true }), '✗ Failed');
  assert.equal(format({ content: [] }), '✓ Success');
  assert.equal(format({ tool_use_id: 'b', content: 'plain' }), '✓ b: plain');
  const blocks = [
    { type: 'text', text: JSON.stringify({ screenshot: image }) },
    { type: 'image', data: image, mimeType: 'image/png' },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'file:///a.txt', text: 'the file' } },
    { type: 'resource', resource: { uri: 'file:///a.pdf', blob: image } },
    { type: 'resource_link', uri: 'file:///b.txt', name: 'b' },
  ];
  const binary = filteredImage.replace('LARGE', 'BINARY');
  const expected = [
    `{"screenshot":"${filteredImage}"}`,
    `image/png: ${binary}`,
    '[audio/wav]',
    'the file',
    `file:///a.pdf: ${binary}`,
    'file:///b.txt',
  ];
  assert.equal(format({ content: blocks }), `✓ ${expected.join('\n')}`);
  assert.equal(format({ content: [], structuredContent: { a: 1, image } }), `✓ {"a":1,"image":"${filteredImage}"}`);
  assert.equal(format({ content: [{ type: 'text', text: 'x' }], structuredContent: { a: 1 } }), '✓ x');
  assert.equal(format({ output: 'x' }), '✗ undefined: Failed\nx', 'a result that isn’t MCP’s has the agents’ own text');
});
