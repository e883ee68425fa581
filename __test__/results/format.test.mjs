// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatToolResultForModel } from 'palimpsest';
import { loadToolResultsReference } from '../reference/load-tool-results.mjs';

const reference = await loadToolResultsReference();

test('R5.6 results read as the reference words them', () => {
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

test('R5.6 a failed command keeps what it printed, behind its error', () => {
  const failed = { toolCallId: 'a', success: false, error: 'exit code 1', output: '1 of 3 tests failed: adds' };
  assert.equal(formatToolResultForModel([failed]), '✗ a: exit code 1\n1 of 3 tests failed: adds');
  const { error, ...mute } = failed;
  assert.equal(formatToolResultForModel([mute]), '✗ a: Failed\n1 of 3 tests failed: adds');
  const thrown = { ...failed, error: new Error(`Command failed: npm test\n${failed.output}`) };
  assert.equal(formatToolResultForModel([thrown]), '✗ a: Command failed: npm test\n1 of 3 tests failed: adds');
});

test('R5.6 what is no string is written as JSON, an error by its message', () => {
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

test('R5.6 nothing that can be in a result is told to the model as [object Object]', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const throwing = {
    get any() {
      throw new Error('no');
    },
  };
  const told = (/** @type {any} */ odd) => {
    const fields = { toolCallId: odd, output: odd, error: odd, metadata: { imagePath: odd, filePath: [odd] } };
    const results = /** @type {any} */ ([null, { success: true, ...fields }, { success: false, ...fields }]);
    assert.ok(!formatToolResultForModel(results).includes('[object'));
  };
  told(proxy);
  told(throwing);
  const odd = fc.anything({ withMap: true, withSet: true, withDate: true, withBigInt: true, withTypedArray: true });
  fc.assert(fc.property(odd, told), { numRuns: 1000 });
});
