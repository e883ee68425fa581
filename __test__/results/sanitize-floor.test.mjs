// @ts-check
/** Short values, paths and URLs are not replaced. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { sanitizeToolResult, sanitizeToolResults, sanitizeToolResultsJson } from 'palimpsest';

const image = randomBytes(30_000).toString('base64');

test('R5.2 a known field of at most 100 units stays, and a larger one is replaced', () => {
  const block = { type: 'image', data: 'ab', mimeType: 'image/png' };
  for (const value of ['see /a.png', 'ab', 'x'.repeat(100), true, 7, [], {}, ['x'.repeat(50), { y: 'y'.repeat(50) }]]) {
    const result = { content: [block], metadata: { imageBase64: value, pdfImages: [{ data: value }] } };
    for (const options of [undefined, { largeDataFields: ['data', 'imageBase64'] }]) {
      assert.deepEqual(sanitizeToolResult(result, options), result, JSON.stringify(value));
      const json = JSON.stringify([result]);
      assert.equal(sanitizeToolResultsJson(json, options), json);
    }
  }
  const large = { metadata: { imageBase64: 'x'.repeat(101), screenshotData: Buffer.alloc(101) } };
  assert.deepEqual(sanitizeToolResult(large).metadata, {
    imageBase64: '[BINARY_DATA_FILTERED: 0.1KB]',
    screenshotData: '[BINARY_DATA_FILTERED: 0.1KB]',
  });
});

test('R5.2 a path or a URL in a known field stays at any length, because the model uses it', () => {
  const long = 'x'.repeat(300);
  const references = [`https://host/${long}?token=a%20b`, `/home/me/${long}.png`, `C:\\Users\\${long}.png`];
  const result = { metadata: { imageBase64: references[0], screenshotData: references[1], pdfImages: references } };
  assert.deepEqual(sanitizeToolResult(result), result);
  const json = JSON.stringify([result]);
  assert.equal(sanitizeToolResultsJson(json), json);
  // Base64 of a JPEG begins with a slash. A list with a path and data is replaced.
  const jpeg = `/9j/${image.slice(0, 1020)}`;
  const data = { metadata: { imageBase64: jpeg, pdfImages: [{ path: references[1], data: jpeg }] } };
  assert.deepEqual(sanitizeToolResult(data).metadata, {
    imageBase64: '[BINARY_DATA_FILTERED: 1.0KB]',
    pdfImages: '[BINARY_DATA_FILTERED: 1.3KB]',
  });
});

test('R5.2 random metadata of at most 100 units stays, and a second call changes nothing', () => {
  const short = fc.oneof(fc.string({ maxLength: 100 }), fc.integer(), fc.boolean(), fc.constant(null));
  const fields = fc.constantFrom('imageBase64', 'audioData', 'data', 'output');
  const small = fc.dictionary(fields, short, { noNullPrototype: true });
  const sizes = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 9_990, max: 10_100 }));
  const property = fc.property(small, fields, sizes, (metadata, field, size) => {
    assert.deepEqual(sanitizeToolResult({ metadata }), { metadata });
    const [sanitized] = sanitizeToolResults([{ metadata: { ...metadata, [field]: image.slice(0, size) } }]);
    assert.deepEqual(sanitizeToolResult(sanitized), sanitized);
    const json = JSON.stringify([sanitized]);
    assert.equal(sanitizeToolResultsJson(json), json);
  });
  fc.assert(property, { numRuns: 2000 });
});
