// @ts-check
/** Binary data within longer text, in the forms that tools return, and text that resembles binary data and stays. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { sanitizeToolResult, sanitizeToolResults, sanitizeToolResultsJson } from 'palimpsest';
import { sanitizeToolResultForHistory } from 'palimpsest/messageCleanup';
import { filtered, wrapped } from '../support/contents.mjs';

const bytes = randomBytes(30_000);
const image = bytes.toString('base64');
const urlSafe = bytes.toString('base64url');
const url = `data:image/png;base64,${image}`;
const filteredImage = filtered(image.length);
const filteredUrl = filtered(url.length);

/** Results with the text in a block, an output, an error, `metadata`, JSON text and JSON within JSON. @param {string} text */
function resultsWith(text) {
  return {
    block: { content: [{ type: 'text', text }] },
    output: { output: text },
    error: { success: false, error: text },
    metadata: { metadata: { deep: [{ text }] } },
    'JSON text': { output: JSON.stringify({ text }) },
    'JSON in JSON': { output: JSON.stringify([JSON.stringify({ text, after: 1 })]) },
  };
}

/** @param {unknown} result */
const withoutSizes = (result) => JSON.stringify(result).replace(/FILTERED: [\d.]+KB/g, 'FILTERED');

/** @param {string} name @param {string} text @param {string} expected */
function assertSanitized(name, text, expected) {
  const sanitized = /** @type {any} */ (resultsWith(expected));
  for (const [where, result] of Object.entries(resultsWith(text))) {
    const right = sanitized[where];
    if (where.includes('JSON')) {
      // Escapes make the same data longer, so sizes differ.
      assert.equal(withoutSizes(sanitizeToolResult(result)), withoutSizes(right), `${name}: ${where}`);
      continue;
    }
    assert.deepEqual(sanitizeToolResult(result), right, `${name}: ${where}`);
    assert.equal(
      sanitizeToolResultsJson(JSON.stringify([result])),
      JSON.stringify([right]),
      `${name}: ${where}, as JSON text`,
    );
  }
}

test('R5.3 the data of a screenshot in JSON text is replaced, and the text stays JSON', () => {
  const json = JSON.stringify({ screenshot: image, width: 1280 });
  const shown = sanitizeToolResult({ content: [{ type: 'text', text: json }] });
  assert.deepEqual(JSON.parse(shown.content[0]?.text ?? ''), { screenshot: filteredImage, width: 1280 });
  assertSanitized(
    'pretty JSON',
    JSON.stringify({ a: [image] }, null, 2),
    JSON.stringify({ a: [filteredImage] }, null, 2),
  );
});

test('R5.3 data URLs in Markdown, HTML, CSS, SVG and prose are replaced, and the text around them stays', () => {
  const shapes = {
    markdown: [`# Page\n\n![logo](${url} "Logo") and more`, `# Page\n\n![logo](${filteredUrl} "Logo") and more`],
    html: [`<img alt="a" src="${url}"><p>text</p>`, `<img alt="a" src="${filteredUrl}"><p>text</p>`],
    'html, single quotes': [`<img src='${url}' alt=a>`, `<img src='${filteredUrl}' alt=a>`],
    css: [`a{background:url(${url}) no-repeat}`, `a{background:url(${filteredUrl}) no-repeat}`],
    'css, quoted': [`a{src:url("${url}") format("woff2")}`, `a{src:url("${filteredUrl}") format("woff2")}`],
    svg: [`<svg><image xlink:href="${url}" x="1"/></svg>`, `<svg><image xlink:href="${filteredUrl}" x="1"/></svg>`],
    prose: [`The image is ${url} as you see.`, `The image is ${filteredUrl} as you see.`],
    'upper case': [url.replace('data:', 'DATA:'), filtered(url.length)],
    'white space and quotes around': [`  "${url}"\n`, `  "${filteredUrl}"\n`],
    'no media type': [`x data:;base64,${image} y`, `x ${filtered(image.length + 13)} y`],
    'a character set': [
      `<a href="data:text/plain;charset=utf-8;base64,${image}">`,
      `<a href="${filtered(image.length + 38)}">`,
    ],
    'a source map': [`f();\n//# sourceMappingURL=${url}`, `f();\n//# sourceMappingURL=${filteredUrl}`],
    'several images': [`![a](${url})\ntext\n![b](${url})`, `![a](${filteredUrl})\ntext\n![b](${filteredUrl})`],
  };
  for (const [name, [text, expected]] of Object.entries(shapes)) assertSanitized(name, String(text), String(expected));
});

test('R5.3 a data URL without base64 ends at the quote, parenthesis or space that encloses it', () => {
  const svg = `<svg xmlns='http://www.w3.org/2000/svg'>${"<path d='M0 0h24v24H0z' transform='rotate(45)'/>".repeat(300)}</svg>`;
  const encoded = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  const plain = `data:image/svg+xml;utf8,${svg}`;
  assertSanitized('encoded', `a{background:url(${encoded})} b{}`, `a{background:url(${filtered(encoded.length)})} b{}`);
  assertSanitized('quoted', `a{background:url("${plain}")} b{}`, `a{background:url("${filtered(plain.length)}")} b{}`);
  assertSanitized(
    'in parentheses',
    `a{background:url(${plain})} b{}`,
    `a{background:url(${filtered(plain.length)})} b{}`,
  );
  assertSanitized('a word', `see ${encoded} there`, `see ${filtered(encoded.length)} there`);
});

test('R5.3 wrapped base64 becomes one placeholder, however its lines are joined', () => {
  const lines = wrapped(image);
  const base = lines.length;
  const join = (/** @type {string} */ text) => wrapped(image, 76, text);
  const indented = join('\n      ');
  /** @type {Record<string, [string, string]>} */
  const shapes = {
    'an e-mail': [
      `Content-Transfer-Encoding: base64\r\n\r\n${join('\r\n')}\r\n--b1--`,
      `Content-Transfer-Encoding: base64\r\n\r\n${filtered(join('\r\n').length)}\r\n--b1--`,
    ],
    'PEM lines': [
      `-----BEGIN PGP MESSAGE-----\n${wrapped(image, 64)}\n-----END`,
      `-----BEGIN PGP MESSAGE-----\n${filtered(wrapped(image, 64).length)}\n-----END`,
    ],
    'indented YAML': [
      `data:\n  file: |\n      ${indented}\n  kind: x`,
      `data:\n  file: |\n      ${filtered(indented.length)}\n  kind: x`,
    ],
    'escaped line breaks': [
      `{"image/png": "${join('\\n')}\\n"}`,
      `{"image/png": "${filtered(join('\\n').length)}\\n"}`,
    ],
    'strings of a program': [`x = ("${join('"\n     "')}")`, `x = ("${filtered(join('"\n     "').length)}")`],
    'joined strings': [`x = "${join('" +\n  "')}";`, `x = "${filtered(join('" +\n  "').length)}";`],
    'a wrapped data URL': [`<image href="data:image/png;base64,${lines}"/>`, `<image href="${filtered(base + 22)}"/>`],
    'entities for line breaks': [
      `<image href="data:image/png;base64,${join('&#10;')}"/>`,
      `<image href="${filtered(join('&#10;').length + 22)}"/>`,
    ],
  };
  for (const [name, [text, expected]] of Object.entries(shapes)) assertSanitized(name, text, expected);
  const numbered = lines.split('\n').map((line, index) => `${String(index + 1).padStart(6)}→${line}`);
  const shown = sanitizeToolResult({ output: numbered.join('\n') }).output;
  assert.match(shown, /^ {5}1→\[LARGE_DATA_FILTERED: [\d.]+KB\]$/);
});

test('R5.3 escaped, URL-encoded and URL-safe base64 is replaced', () => {
  const slashes = image.replaceAll('/', '\\/');
  assertSanitized('escaped slashes', `{"a":"${slashes}"}`, `{"a":"${filtered(slashes.length)}"}`);
  const dotNet = image.replaceAll('+', '\\u002B');
  assertSanitized('.NET', `{"a":"${dotNet}"}`, `{"a":"${filtered(dotNet.length)}"}`);
  const component = encodeURIComponent(image);
  assertSanitized(
    'a query string',
    `https://host/a?img=${component}&b=1`,
    `https://host/a?img=${filtered(component.length)}&b=1`,
  );
  const entities = image.replaceAll('+', '&#x2B;');
  assertSanitized('ASP.NET', `<b data-x="${entities}">`, `<b data-x="${filtered(entities.length)}">`);
  assertSanitized('Gmail', `{"raw": "${urlSafe}"}`, `{"raw": "${filtered(urlSafe.length)}"}`);
  assertSanitized('a prefix', `Screenshot (base64): ${image}`, `Screenshot (base64): ${filteredImage}`);
  assertSanitized('a suffix', `${image} [saved]`, `${filteredImage} [saved]`);
  assertSanitized('a cut', `${image.slice(0, 30_001)}... [truncated]`, `${filtered(30_001)}... [truncated]`);
  assertSanitized('Python', `b'${image}'`, `b'${filteredImage}'`);
  assertSanitized(
    'XML',
    `<data encoding="base64">\n   ${image}\n  </data>`,
    `<data encoding="base64">\n   ${filteredImage}\n  </data>`,
  );
  assertSanitized(
    'iTerm',
    `\u001b]1337;File=inline=1:${image}\u0007`,
    `\u001b]1337;File=inline=1:${filteredImage}\u0007`,
  );
  const text = Buffer.from(JSON.stringify(Array.from({ length: 900 }, (_, n) => ({ n, name: `name ${n}` })))).toString(
    'base64',
  );
  assertSanitized(
    'encoded text',
    `kind: Secret\n  config: ${text}\n`,
    `kind: Secret\n  config: ${filtered(text.length)}\n`,
  );
  const zipped = gzipSync(randomBytes(20_000)).toString('base64');
  assertSanitized('a Helm release', `release: ${zipped}\n`, `release: ${filtered(zipped.length)}\n`);
});

test('R5.3 the images of a notebook are replaced, and its code and text stay', () => {
  const cell = (/** @type {unknown} */ png) => ({
    cells: [
      {
        cell_type: 'code',
        source: ['plt.plot(x)\n'],
        outputs: [{ data: { 'image/png': png, 'text/plain': ['<Figure>'] } }],
      },
    ],
    nbformat: 4,
  });
  const text = (/** @type {unknown} */ png) => JSON.stringify(cell(png), null, 1);
  const joined = wrapped(image, 76);
  assertSanitized('one line', text(`${image}\n`), text(`${filteredImage}\n`));
  assertSanitized('wrapped', text(`${joined}\n`), text(`${filtered(joined.replaceAll('\n', '\\n').length)}\n`));
  const list = joined.split('\n').map((line) => `${line}\n`);
  const shown = sanitizeToolResult({ output: text(list) }).output;
  assert.ok(shown.length < 1000);
  assert.match(JSON.parse(shown).cells[0].outputs[0].data['image/png'][0], /^\[LARGE_DATA_FILTERED: [\d.]+KB\]\n$/);
});

/** The same kind of bytes in each JavaScript and JSON form. */
const forms = {
  Uint8Array: new Uint8Array(bytes),
  Buffer: bytes,
  'an ArrayBuffer': bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
  'a DataView': new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
  Float32Array: new Float32Array(7500),
  'a list': [...bytes],
  'signed bytes': [...new Int8Array(bytes)],
  'indexed fields': { ...bytes },
};

test('R5.4 buffers, typed arrays and lists of bytes are replaced at every depth', () => {
  const placeholder = filtered(30_000);
  for (const [name, value] of Object.entries(forms)) {
    const result = { content: [{ image: { format: 'png', source: { bytes: value } } }], metadata: { a: [value] } };
    const expected = {
      content: [{ image: { format: 'png', source: { bytes: placeholder } } }],
      metadata: { a: [placeholder] },
    };
    assert.deepEqual(sanitizeToolResult(result), expected, name);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) continue;
    assert.equal(sanitizeToolResultsJson(JSON.stringify([result])), JSON.stringify([expected]), name);
    assert.equal(
      sanitizeToolResultsJson(JSON.stringify([result], null, 2)),
      JSON.stringify([expected], null, 2),
      `${name}, with spaces`,
    );
    for (const spaces of [0, 2]) {
      const text = JSON.stringify({ result }, null, spaces);
      assertSanitized(`${name} in text`, text, JSON.stringify({ result: expected }, null, spaces));
    }
  }
  const buffer = Buffer.alloc(20_000).toJSON();
  const shown = sanitizeToolResult({ output: { stdout: buffer } });
  assert.deepEqual(shown, { output: { stdout: { type: 'Buffer', data: filtered(20_000) } } });
  const text = JSON.stringify({ stdout: buffer });
  assertSanitized('a Buffer in text', text, JSON.stringify({ stdout: { type: 'Buffer', data: filtered(20_000) } }));
  const known = sanitizeToolResult({ metadata: { imageBase64: [...bytes], pdfImages: [1, 2, 3], audioData: buffer } });
  const binary = placeholder.replace('LARGE', 'BINARY');
  assert.deepEqual(known.metadata, {
    imageBase64: binary,
    pdfImages: [1, 2, 3],
    audioData: filtered(20_000 + 6).replace('LARGE', 'BINARY'),
  });
});

test('R5.3 text that resembles binary data stays: logs, paths, hashes, certificates, code, numbers', () => {
  const hex = (/** @type {number} */ units) => randomBytes(units / 2).toString('hex');
  const pick = (/** @type {string} */ letters, /** @type {number} */ units) =>
    Array.from(randomBytes(units), (byte) => letters[byte % letters.length]).join('');
  const list = (/** @type {number} */ count, /** @type {(n: number) => string} */ line) =>
    Array.from({ length: count }, (_, n) => line(n)).join('\n');
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const pad = (/** @type {number} */ n, /** @type {number} */ digits) => String(n).padStart(digits, '0');
  /** @type {Record<string, string>} */
  const texts = {
    'server-sent events': list(400, (n) => `data: {"id":${n},"delta":"word"}\n`),
    'server-sent events without a space': list(400, (n) => `data:{"id":${n},"delta":"word"}\n`),
    'the end of a stream': `data:[DONE]\n${'data:x,y\n'.repeat(2000)}`,
    YAML: `data:\n${list(800, (n) => `  key_${n}: value ${n}`)}`,
    'log lines': list(400, (n) => `data:logs/app,INFO,request ${n} was served in 12 ms`),
    'a sentence about data URLs': `data:image/png is a format. ${'More words of it, and more. '.repeat(500)}`,
    'find .git/objects': list(400, () => `objects/${hex(2)}/${hex(38)}`),
    'find in upper case': list(400, (n) => `Build/Objects/Release/Component${pad(n, 4)}/Button/Index${pad(n, 4)}`),
    'log folders': list(1000, (n) => `logs/2024/${pad(n % 12, 2)}/${pad(n % 28, 2)}/${pad(n % 24, 2)}`),
    'DNA in lines': wrapped(pick('ACGT', 20_000), 60),
    'DNA on one line': pick('ACGTacgtNn', 20_000),
    digits: pick('0123456789', 20_000),
    'digits in lines': wrapped(pick('0123456789', 20_000), 64),
    'hexadecimal on one line': hex(20_000),
    'hexadecimal in both cases': pick('0123456789abcdefABCDEF', 20_000),
    'a protein': pick('ACDEFGHIKLMNPQRSTVWY', 20_000),
    'one letter': 'A'.repeat(20_000),
    'identifiers of one length': list(800, () => pick(letters, 24)),
    'tokens of one length': list(300, () => pick(letters, 64)),
    'ids of files': list(400, () => `1${pick(`${letters}-_`, 43)}`),
    'lock files': list(300, (n) => `"pkg-${n}@1.0.0":\n  integrity sha512-${randomBytes(64).toString('base64')}`),
    'hashes alone': list(300, () => randomBytes(64).toString('base64')),
    certificates: list(
      12,
      () =>
        `-----BEGIN CERTIFICATE-----\n${wrapped(randomBytes(900).toString('base64'), 64)}\n-----END CERTIFICATE-----`,
    ),
    'known hosts': list(80, (n) => `host${n} ssh-rsa AAAAB3NzaC1yc2E${randomBytes(200).toString('base64')}`),
    'web tokens': list(
      60,
      () =>
        `${randomBytes(30).toString('base64url')}.${randomBytes(90).toString('base64url')}.${randomBytes(40).toString('base64url')}`,
    ),
    'a source map': list(1, () => `{"mappings":"${'AAAA,SAASA,IAAI,CAACC;EACZ,OAAOD,'.repeat(700)}"}`),
    'minified code': 'function a(b){return b.c(1)+d/e-f_g}'.repeat(600),
    'a long identifier': 'thisIsALongName42'.repeat(700),
    'a query string': `https://host/?${list(900, (n) => `key${n}=value${n}`).replaceAll('\n', '&')}`,
    'a ruler': `${'='.repeat(11_000)}\n${'-'.repeat(11_000)}`,
    'numbers above 255': JSON.stringify(Array.from({ length: 8000 }, (_, n) => n)),
    durations: JSON.stringify(Array.from({ length: 8000 }, (_, n) => n % 120)),
    'a table': list(900, (n) => `${n},${n % 7},${n % 200},${n * 3}`),
    Chinese: '这是一个很长的中文文本'.repeat(2000),
    words: 'the quick brown fox jumps over the lazy dog and goes on '.repeat(400),
    'short images': list(4, () => `![a](data:image/png;base64,${randomBytes(2000).toString('base64')})`),
  };
  for (const [name, text] of Object.entries(texts)) {
    assert.ok(text.length > 10_000, `${name}: ${text.length}`);
    assertSanitized(name, text, text);
  }
});

test('R5.3 only sanitizeToolResultForHistory replaces metadata that resembles binary data, as the agents’ own function does', () => {
  const lookalikes = {
    'server-sent events': 'data: {"a":1}\n'.repeat(1000),
    hexadecimal: randomBytes(6000).toString('hex'),
    DNA: 'ACGT'.repeat(4000),
    digits: '0123456789'.repeat(2000),
    padding: `${'x='.repeat(6000)}`,
  };
  for (const [name, text] of Object.entries(lookalikes)) {
    const result = {
      toolCallId: 'a',
      success: true,
      output: text,
      error: text,
      metadata: { x: text, deep: { x: text } },
    };
    const placeholder = filtered(text.length);
    assert.deepEqual(
      sanitizeToolResultForHistory(result),
      { ...result, metadata: { x: placeholder, deep: { x: placeholder } } },
      name,
    );
    assert.deepEqual(sanitizeToolResult(result), result, name);
    assert.deepEqual(result.metadata, { x: text, deep: { x: text } }, 'the original is unchanged');
  }
  assert.deepEqual(sanitizeToolResultForHistory({ output: `see ${url}` }), { output: `see ${filteredUrl}` });
  assert.deepEqual(sanitizeToolResultForHistory({ a: 1 }), { a: 1 });
  assert.throws(() => sanitizeToolResultForHistory(/** @type {any} */ (null)), { message: /^result: / });
});

/** Texts around data, with the delimiters of JSON, HTML and Markdown. */
const around = fc.string({
  unit: fc.constantFrom(...'ab1 \n"\'\\/(){}[],:;.<>=-_+&%中', '\\n', '\\"', 'data:', '://'),
  maxLength: 40,
});
const data = fc.constantFrom(
  image,
  urlSafe,
  url,
  wrapped(image),
  wrapped(image, 64, '\r\n'),
  image.replaceAll('/', '\\/'),
);

test('R5.3 data within any text is replaced, and JSON stays JSON', () => {
  const delimiter = fc.constantFrom(' ', '"', "'", '\n\n', ': ', '(', '<', '|');
  const property = fc.property(around, delimiter, data, delimiter, around, (before, open, held, close, after) => {
    const text = `${before}${open}${held}${close}${after}`;
    const { output } = sanitizeToolResult({ output: text });
    assert.ok(
      output.length < 600,
      `${JSON.stringify([before, open, held.slice(0, 40), close, after])}: ${output.length}`,
    );
    assert.match(output, /\[LARGE_DATA_FILTERED: [\d.]+KB\]/);
    assert.deepEqual(sanitizeToolResult({ output }), { output }, 'a second call changes nothing');
    const json = JSON.stringify([{ output: text }]);
    assert.equal(sanitizeToolResultsJson(json), JSON.stringify([{ output }]));
    const nested = JSON.stringify({ a: text, b: [1] });
    assert.ok(typeof JSON.parse(sanitizeToolResult({ nested }).nested) === 'object', 'JSON stays JSON');
  });
  fc.assert(property, { numRuns: 1000 });
});

test('R5.5 sanitizeToolResultsJson agrees with sanitizeToolResults, and a second call changes nothing', () => {
  const pieces = fc.constantFrom(
    image.slice(0, 9_000),
    wrapped(image.slice(0, 9_000)),
    '137, '.repeat(3000),
    '[',
    ']',
    '"',
    '\\',
    'data:text/plain,',
    '\n',
    ' ',
    'word ',
    '=',
    ',',
    '{"0":',
    '(',
  );
  const property = fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
    const text = parts.join('');
    const [sanitized] = sanitizeToolResults([{ text }]);
    assert.equal(sanitizeToolResultsJson(JSON.stringify([{ text }])), JSON.stringify([sanitized]));
    assert.deepEqual(sanitizeToolResult(/** @type {any} */ (sanitized)), sanitized);
  });
  fc.assert(property, { numRuns: 1000 });
});
