// @ts-check
/** sanitizeToolResult, sanitizeToolResults and sanitizeToolResultsJson. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { formatToolResultForModel, sanitizeToolResult, sanitizeToolResults, sanitizeToolResultsJson } from 'palimpsest';
import { sanitizeToolResultForHistory } from 'palimpsest/messageCleanup';
import { loadToolResultsReference } from '../reference/load-tool-results.mjs';
import { filtered, wrapped } from '../support/contents.mjs';
import { testEachSession } from '../support/corpus.mjs';

const reference = await loadToolResultsReference();
const image = randomBytes(30_000).toString('base64');
const largePlaceholder = filtered(image.length);
const binaryPlaceholder = largePlaceholder.replace('LARGE', 'BINARY');

test('R5.2 known fields become placeholders with their size; paths and small metadata stay', () => {
  const result = {
    toolCallId: 'call_1',
    success: true,
    output: '图片生成成功。',
    metadata: { imagePath: '/tmp/a.png', imageBase64: 'x'.repeat(512_000), model: 'flux', generationTimeMs: 5120 },
  };
  assert.deepEqual(sanitizeToolResult(result), {
    ...result,
    metadata: { ...result.metadata, imageBase64: '[BINARY_DATA_FILTERED: 500.0KB]' },
  });
  assert.deepEqual(sanitizeToolResultForHistory(result), sanitizeToolResult(result));
});

test('R5.2 sizes in placeholders are rounded like toFixed(1)', () => {
  for (const units of [101, 153, 154, 255, 256, 257, 768, 1280, 1792, 10_496, 1_048_832]) {
    const { metadata } = sanitizeToolResult({ metadata: { audioData: 'x'.repeat(units) } });
    assert.equal(metadata.audioData, `[BINARY_DATA_FILTERED: ${(units / 1024).toFixed(1)}KB]`, `${units} units`);
  }
});

test('R5.2 the size of a known field includes its lists, objects and bytes, and a cycle once', () => {
  /** @type {any} */
  const cyclic = ['x'.repeat(1024)];
  cyclic.push(cyclic, { again: cyclic });
  const metadata = {
    pdfImages: ['x'.repeat(1024), { page: 1, data: 'y'.repeat(1024) }],
    screenshotData: Buffer.alloc(3072),
    videoData: cyclic,
    audioData: 7,
  };
  assert.deepEqual(sanitizeToolResult({ metadata }).metadata, {
    pdfImages: '[BINARY_DATA_FILTERED: 2.0KB]',
    screenshotData: '[BINARY_DATA_FILTERED: 3.0KB]',
    videoData: '[BINARY_DATA_FILTERED: 1.0KB]',
    audioData: 7,
  });
  const empty = { metadata: { imageBase64: '', pdfImages: null, audioData: 0, videoData: undefined } };
  assert.deepEqual(sanitizeToolResult(empty), empty);
});

test('R5.2 `largeDataFields` replaces the names of the known fields', () => {
  const data = 'x'.repeat(1024);
  const result = { metadata: { thumbnail: data, imageBase64: data } };
  const sanitized = sanitizeToolResult(result, { largeDataFields: ['thumbnail'] });
  assert.deepEqual(sanitized.metadata, { thumbnail: '[BINARY_DATA_FILTERED: 1.0KB]', imageBase64: data });
  const json = sanitizeToolResultsJson(JSON.stringify([result]), { largeDataFields: ['thumbnail'] });
  assert.deepEqual(JSON.parse(json), [sanitized]);
});

test('R5.3 base64 in every usual form is replaced', () => {
  const urlSafe = image.replaceAll('+', '-').replaceAll('/', '_');
  const forms = {
    'one line': image,
    padded: randomBytes(20_000).toString('base64'),
    'URL-safe': urlSafe,
    'wrapped at 76': wrapped(image),
    'wrapped with CRLF': wrapped(image, 76, '\r\n'),
    'with a last line break': `${image}\n`,
    'a data URL': `data:image/png;base64,${image}`,
    'a data URL of text': `data:text/plain,${'hello world '.repeat(1000)}`,
  };
  for (const [form, data] of Object.entries(forms)) {
    const expected = { metadata: { x: filtered(data.length) } };
    assert.deepEqual(sanitizeToolResult({ metadata: { x: data } }), expected, form);
    assert.equal(sanitizeToolResultsJson(JSON.stringify([{ x: data }])), JSON.stringify([expected.metadata]), form);
  }
});

test('R5.3 hashes, identifiers, code, Chinese, and base64 of at most 10,000 units stay', () => {
  const texts = {
    'at the threshold': image.slice(0, 10_000),
    'almost long enough': `${image.slice(0, 10_000)}! ${image.slice(0, 10_000)}`,
    'hexadecimal on one line': randomBytes(6000).toString('hex'),
    'minified JavaScript': 'var a=function(b){return b?c(b):d};'.repeat(600),
    'hexadecimal with colons': randomBytes(6000).toString('hex').replace(/../g, '$&:'),
    'commit hashes': Array.from({ length: 400 }, () => randomBytes(20).toString('hex')).join('\n'),
    UUIDs: Array.from({ length: 400 }, () => crypto.randomUUID()).join('\n'),
    'file names': Array.from({ length: 2000 }, (_, n) => `component_${n}`).join('\n'),
    Chinese: '这是一个很长的中文文本'.repeat(2000),
    'letters beyond ASCII': 'é'.repeat(20_000),
  };
  for (const [kind, text] of Object.entries(texts)) {
    assert.deepEqual(sanitizeToolResult({ metadata: { text } }), { metadata: { text } }, kind);
    const json = JSON.stringify([{ text }]);
    assert.equal(sanitizeToolResultsJson(json), json, kind);
  }
});

test('R5.4 the data in content blocks of MCP and OpenAI is replaced at every depth', () => {
  const result = {
    content: [
      { type: 'text', text: 'a screenshot' },
      { type: 'image', data: image, mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///a.pdf', mimeType: 'application/pdf', blob: image } },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${image}`, detail: 'low' } },
    ],
    metadata: { pages: [{ layers: [{ screenshotData: image }] }] },
  };
  const sanitized = sanitizeToolResult(result);
  assert.ok(JSON.stringify(sanitized).length < 800);
  assert.equal(sanitized.content[1]?.data, largePlaceholder);
  assert.equal(sanitized.content[1]?.mimeType, 'image/png');
  assert.equal(sanitized.content[0], result.content[0], 'an untouched block is shared');
});

test('R5.1 R0.1 the original stays unchanged, and branches without data are shared', () => {
  const result = Object.freeze({
    toolCallId: 'a',
    metadata: Object.freeze({ imageBase64: image, small: Object.freeze({ deep: [1, 2, 3] }) }),
    other: { list: ['x'] },
  });
  const before = structuredClone(result);
  const sanitized = sanitizeToolResult(result);
  assert.deepEqual(result, before);
  assert.equal(sanitized.metadata.small, result.metadata.small);
  assert.equal(sanitized.other, result.other);
  assert.notEqual(sanitizeToolResult({ a: 1 }), result);
  assert.ok(!Object.isFrozen(sanitized) && Reflect.set(sanitized, 'toolCallId', 'b'), 'a copy can be written to');
});

test('R5.4 the copy has the same cycles and shared values, also at a depth of 100,000', () => {
  /** @type {any} */
  const shared = { imageBase64: image };
  /** @type {any} */
  const result = { metadata: { first: shared, second: shared } };
  result.metadata.self = result;
  const { metadata } = sanitizeToolResult(result);
  assert.equal(metadata.first, metadata.second);
  assert.equal(metadata.self.metadata, metadata);
  assert.equal(metadata.first.imageBase64, binaryPlaceholder);

  /** @type {any} */
  let deep = { imageBase64: image };
  for (let depth = 0; depth < 100_000; depth++) deep = depth % 2 ? [deep] : { deep };
  let inner = sanitizeToolResult({ metadata: deep }).metadata;
  while (inner.imageBase64 === undefined) inner = inner.deep ?? inner[0];
  assert.equal(inner.imageBase64, binaryPlaceholder);
});

test('R5.4 no original is reachable through an object that refers back to the result', () => {
  const hexadecimal = randomBytes(6_000).toString('hex');
  /** @param {object} root @param {(root: any) => any} sanitize */
  function assertReplaced(root, sanitize) {
    const before = inspect(root, { depth: null });
    const copy = sanitize(root);
    assert.equal(inspect(root, { depth: null }), before);
    const text = inspect(copy, { depth: null, maxStringLength: null, showHidden: true });
    assert.ok(!text.includes(image) && !text.includes(hexadecimal), text.slice(0, 500));
    return copy;
  }
  for (const data of [{ imageBase64: image }, { text: image }, { deep: [{ blob: image }] }]) {
    /** @type {any} */
    const root = { a: { ...data }, b: { list: [{}] } };
    root.b.list[0].back = root;
    const copy = assertReplaced(root, sanitizeToolResult);
    assert.equal(copy.b.list[0].back, copy);

    /** @type {any} */
    const withOwnData = { b: {}, ...data };
    withOwnData.b.back = withOwnData;
    const copyWithOwnData = assertReplaced(withOwnData, sanitizeToolResult);
    assert.equal(copyWithOwnData.b.back, copyWithOwnData);
  }

  /** @type {any} */
  const metadata = { a: { hexadecimal }, b: {} };
  metadata.b.back = metadata;
  const copy = assertReplaced({ metadata }, sanitizeToolResultForHistory);
  assert.equal(copy.metadata.b.back, copy.metadata);
});

test('R5.4 500 nested known fields are read at most 2,000 times, and 20,000 are sanitised', () => {
  let reads = 0;
  /** @type {any} */
  let nested = { audioData: 'a small note' };
  for (let depth = 0; depth < 500; depth++) {
    const inner = nested;
    const get = () => {
      reads += 1;
      return inner;
    };
    nested = Object.defineProperty({}, 'audioData', { enumerable: true, get });
  }
  sanitizeToolResult({ metadata: nested });
  assert.ok(reads <= 2000, `500 fields were read ${reads} times`);

  let deep = JSON.parse(`${'{"audioData":'.repeat(20_000)}"${image}"${'}'.repeat(20_000)}`);
  assert.equal(sanitizeToolResult({ deep }).deep.audioData, binaryPlaceholder);
  deep = JSON.parse(`${'{"audioData":'.repeat(20_000)}"a small note"${'}'.repeat(20_000)}`);
  const kept = sanitizeToolResult({ deep, picture: image });
  assert.equal(kept.picture, largePlaceholder);
  assert.equal(kept.deep, deep, 'a branch without data is shared');
});

test('R0.3 getters, proxies, instances, __proto__ keys, holes and symbols are copied unchanged', () => {
  const symbol = Symbol('s');
  class Handle {
    imageBase64 = image;
  }
  const unusual = {
    get throws() {
      throw new Error('no');
    },
    map: new Map([['imageBase64', image]]),
    date: new Date(0),
    buffer: Buffer.from('abc'),
    handle: new Handle(),
    revoked: (() => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    })(),
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    holes: [1, , { imageBase64: image }],
    [symbol]: image,
    imageBase64: image,
  };
  Object.defineProperty(unusual, 'hidden', { value: 1, enumerable: false });
  const sanitized = sanitizeToolResult({ metadata: unusual }).metadata;
  assert.throws(() => sanitized.throws, /no/);
  for (const key of /** @type {const} */ (['map', 'date', 'buffer', 'handle', 'revoked'])) {
    assert.ok(Object.is(sanitized[key], unusual[key]), key);
  }
  assert.ok(!(1 in sanitized.holes) && sanitized.holes.length === 3);
  assert.equal(sanitized[symbol], image);
  assert.ok(Object.hasOwn(sanitized, 'hidden'));

  const hostile = JSON.parse(`{"metadata":{"__proto__":{"imageBase64":"${image}"},"constructor":1}}`);
  const { metadata } = sanitizeToolResult(hostile);
  assert.equal(Object.getPrototypeOf(metadata), Object.prototype);
  assert.equal(JSON.stringify(metadata), `{"__proto__":{"imageBase64":"${binaryPlaceholder}"},"constructor":1}`);
  const bare = Object.assign(Object.create(null), { imageBase64: image });
  assert.equal(Object.getPrototypeOf(sanitizeToolResult({ bare }).bare), null);
});

test('R0.3 a wrong argument is an error that names the argument', () => {
  for (const wrong of [undefined, null, 'x', 5]) {
    assert.throws(() => sanitizeToolResult(/** @type {any} */ (wrong)), { name: 'TypeError', message: /^result: / });
    assert.throws(() => sanitizeToolResults(/** @type {any} */ (wrong)), { name: 'TypeError', message: /^results: / });
    assert.throws(() => formatToolResultForModel(/** @type {any} */ (wrong)), {
      name: 'TypeError',
      message: /^results: /,
    });
  }
  assert.throws(() => sanitizeToolResultsJson(/** @type {any} */ ([])), { name: 'TypeError', message: /^content: / });
  const options = /** @type {any} */ ({ largeDataFields: ['a', 1] });
  assert.throws(() => sanitizeToolResult({}, options), { message: /^options\.largeDataFields\[1\]: / });
  assert.deepEqual(sanitizeToolResults([null, 'x', { imageBase64: image }]), [
    null,
    'x',
    { imageBase64: binaryPlaceholder },
  ]);
});

/** Random JSON values that often contain binary data. */
const jsonValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom(
      '',
      'text',
      '😀',
      '\ud800',
      0,
      -0,
      1.5,
      1e21,
      true,
      false,
      null,
      image,
      `${image}!`,
      wrapped(image),
      image.slice(0, 100),
      image.slice(0, 101),
      `/9j/${image.slice(0, 200)}`,
      `/tmp/${'a b'.repeat(50)}.png`,
      `https://host/${'\ud83d\ude00"'.repeat(60)}`,
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.constantFrom('a', 'imageBase64', 'pdfImages', '__proto__', 'data', 'image\u0042ase64', '"quoted"'),
      tie('value'),
      { maxKeys: 5, noNullPrototype: true },
    ),
  ),
})).value;
const results = fc.array(
  fc.dictionary(fc.constantFrom('metadata', 'output', 'videoData'), jsonValue, { noNullPrototype: true }),
  {
    maxLength: 3,
  },
);

test('R5.5 sanitizeToolResultsJson agrees with sanitizeToolResults, and a second call changes nothing', () => {
  const property = fc.property(results, fc.constantFrom(undefined, 1, '\t'), (list, indent) => {
    const text = JSON.stringify(list, null, indent);
    const sanitized = sanitizeToolResultsJson(text);
    assert.equal(sanitized, JSON.stringify(sanitizeToolResults(JSON.parse(text)), null, indent));
    assert.equal(sanitizeToolResultsJson(sanitized), sanitized);
  });
  fc.assert(property, { numRuns: 2000 });
});

test('R5.1 random results are sanitised as the agents’ own function does', () => {
  const plain = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        '',
        'text',
        image,
        image.slice(1, 101),
        image.slice(1, 102),
        `${image}=`,
        image.slice(0, 10_000),
        'data:x',
        `data:image/png;base64,${image}`,
        'data: an event\n'.repeat(1000),
        7,
        null,
      ),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'imageBase64', 'audioData', 'b'), tie('value'), { noNullPrototype: true }),
    ),
  })).value;
  const property = fc.property(
    fc.record({ toolCallId: fc.string(), metadata: plain }, { noNullPrototype: true }),
    (result) => {
      assert.deepEqual(sanitizeToolResult(result), reference.sanitizeToolResult(result));
    },
  );
  fc.assert(property, { numRuns: 2000 });
});

test('R5.5 JSON around replaced data, and text that is no array of objects, stays as written', () => {
  const text = `\n[ {"a":1.0,"a":12345678901234567890,"\\u0061":"\\/\\u00e9","imageBase64":"${image}"} ,{}]\r\n`;
  assert.equal(sanitizeToolResultsJson(text), text.replace(image, binaryPlaceholder));
  const property = fc.property(
    fc.string({ unit: fc.constantFrom(...'[]{}",:\\0e- tx\n', `"imageBase64":"${image.slice(0, 101)}"`) }),
    (written) => {
      let valid = false;
      try {
        const value = JSON.parse(written);
        valid =
          Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
      } catch {}
      if (!valid) assert.equal(sanitizeToolResultsJson(written), written);
    },
  );
  fc.assert(property, { numRuns: 20_000 });
});

testEachSession('R5.4 only the images of recorded messages are replaced', ({ messages }) => {
  const sanitized = sanitizeToolResults(messages);
  for (const [index, message] of messages.entries()) {
    const images = JSON.stringify(message).match(/"data:image[^"]{10000,}"/g) ?? [];
    if (images.length === 0) assert.deepEqual(sanitized[index], message);
    else
      assert.equal(JSON.stringify(sanitized[index]).match(/\[LARGE_DATA_FILTERED: [\d.]+KB\]/g)?.length, images.length);
  }
  assert.deepEqual(JSON.parse(sanitizeToolResultsJson(JSON.stringify(messages))), sanitized);
});

test('R5.4 10 MB of any text take less than 3 s of processor time', () => {
  const texts = [
    'A'.repeat(1e7),
    wrapped('A'.repeat(1e7)),
    `${'A'.repeat(1e7)}!`,
    '\n'.repeat(1e7),
    'data:'.repeat(2e6),
    '中'.repeat(1e7),
  ];
  for (const text of texts) {
    const json = JSON.stringify([{ text, nested: '\\"'.repeat(1000) }]);
    const started = process.cpuUsage();
    sanitizeToolResult({ text });
    sanitizeToolResultsJson(json);
    sanitizeToolResultsJson('['.repeat(1e6));
    // Processor time, because other work on the machine delays everything.
    const { user, system } = process.cpuUsage(started);
    const took = (user + system) / 1000;
    assert.ok(took < 3000, `${JSON.stringify(text.slice(0, 5))}: ${took.toFixed(0)} ms`);
  }
});
