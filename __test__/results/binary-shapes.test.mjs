// @ts-check
/** Binary data inside longer text, in the shapes that tools return it in, and text that looks like it and stays. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { formatToolResultForModel, sanitizeToolResult, sanitizeToolResults, sanitizeToolResultsJson } from 'palimpsest';
import { sanitizeToolResultForHistory } from 'palimpsest/messageCleanup';

const bytes = randomBytes(30_000);
const image = bytes.toString('base64');
const urlSafe = bytes.toString('base64url');
const url = `data:image/png;base64,${image}`;
const mark = (/** @type {number} */ units) => `[LARGE_DATA_FILTERED: ${(units / 1024).toFixed(1)}KB]`;
const large = mark(image.length);
const largeUrl = mark(url.length);

/** @param {string} text @param {number} [width] @param {string} [lineBreak] */
const wrapped = (text, width = 76, lineBreak = '\n') =>
  (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(lineBreak);

/** Each as a text block, an output, an error, in `metadata`, as JSON text and twice so. @param {string} text */
function holders(text) {
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
const unsized = (result) => JSON.stringify(result).replace(/FILTERED: [\d.]+KB/g, 'FILTERED');

/** @param {string} name @param {string} text @param {string} expected */
function becomes(name, text, expected) {
  const [given, wanted] = [Object.entries(holders(text)), holders(expected)];
  for (const [where, result] of given) {
    const right = /** @type {any} */ (wanted)[where];
    if (where.includes('JSON')) {
      // Escapes make the same data longer.
      assert.equal(unsized(sanitizeToolResult(result)), unsized(right), `${name}: ${where}`);
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

test('r5_3 a screenshot as JSON text loses its data and stays JSON', () => {
  const json = JSON.stringify({ screenshot: image, width: 1280 });
  const shown = sanitizeToolResult({ content: [{ type: 'text', text: json }] });
  assert.deepEqual(JSON.parse(shown.content[0]?.text ?? ''), { screenshot: large, width: 1280 });
  becomes('pretty JSON', JSON.stringify({ a: [image] }, null, 2), JSON.stringify({ a: [large] }, null, 2));
});

test('r5_3 data URLs in Markdown, HTML, CSS, SVG and prose lose their data alone', () => {
  const shapes = {
    markdown: [`# Page\n\n![logo](${url} "Logo") and more`, `# Page\n\n![logo](${largeUrl} "Logo") and more`],
    html: [`<img alt="a" src="${url}"><p>text</p>`, `<img alt="a" src="${largeUrl}"><p>text</p>`],
    'html, single quotes': [`<img src='${url}' alt=a>`, `<img src='${largeUrl}' alt=a>`],
    css: [`a{background:url(${url}) no-repeat}`, `a{background:url(${largeUrl}) no-repeat}`],
    'css, quoted': [`a{src:url("${url}") format("woff2")}`, `a{src:url("${largeUrl}") format("woff2")}`],
    svg: [`<svg><image xlink:href="${url}" x="1"/></svg>`, `<svg><image xlink:href="${largeUrl}" x="1"/></svg>`],
    prose: [`The image is ${url} as you see.`, `The image is ${largeUrl} as you see.`],
    'upper case': [url.replace('data:', 'DATA:'), mark(url.length)],
    'white space and quotes around': [`  "${url}"\n`, `  "${largeUrl}"\n`],
    'no media type': [`x data:;base64,${image} y`, `x ${mark(image.length + 13)} y`],
    'a character set': [
      `<a href="data:text/plain;charset=utf-8;base64,${image}">`,
      `<a href="${mark(image.length + 38)}">`,
    ],
    'a source map': [`f();\n//# sourceMappingURL=${url}`, `f();\n//# sourceMappingURL=${largeUrl}`],
    'several images': [`![a](${url})\ntext\n![b](${url})`, `![a](${largeUrl})\ntext\n![b](${largeUrl})`],
  };
  for (const [name, [text, expected]] of Object.entries(shapes)) becomes(name, String(text), String(expected));
});

test('r5_3 data URLs that are not base64 end where what they stand in ends', () => {
  const svg = `<svg xmlns='http://www.w3.org/2000/svg'>${"<path d='M0 0h24v24H0z' transform='rotate(45)'/>".repeat(300)}</svg>`;
  const encoded = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  const plain = `data:image/svg+xml;utf8,${svg}`;
  becomes('encoded', `a{background:url(${encoded})} b{}`, `a{background:url(${mark(encoded.length)})} b{}`);
  becomes('quoted', `a{background:url("${plain}")} b{}`, `a{background:url("${mark(plain.length)}")} b{}`);
  becomes('in parentheses', `a{background:url(${plain})} b{}`, `a{background:url(${mark(plain.length)})} b{}`);
  becomes('a word', `see ${encoded} there`, `see ${mark(encoded.length)} there`);
});

test('r5_3 wrapped data is one run, however its lines are joined', () => {
  const lines = wrapped(image);
  const base = lines.length;
  const join = (/** @type {string} */ text) => wrapped(image, 76, text);
  const indented = join('\n      ');
  /** @type {Record<string, [string, string]>} */
  const shapes = {
    'an e-mail': [
      `Content-Transfer-Encoding: base64\r\n\r\n${join('\r\n')}\r\n--b1--`,
      `Content-Transfer-Encoding: base64\r\n\r\n${mark(join('\r\n').length)}\r\n--b1--`,
    ],
    'PEM lines': [
      `-----BEGIN PGP MESSAGE-----\n${wrapped(image, 64)}\n-----END`,
      `-----BEGIN PGP MESSAGE-----\n${mark(wrapped(image, 64).length)}\n-----END`,
    ],
    'indented YAML': [
      `data:\n  file: |\n      ${indented}\n  kind: x`,
      `data:\n  file: |\n      ${mark(indented.length)}\n  kind: x`,
    ],
    'escaped line breaks': [`{"image/png": "${join('\\n')}\\n"}`, `{"image/png": "${mark(join('\\n').length)}\\n"}`],
    'strings of a program': [`x = ("${join('"\n     "')}")`, `x = ("${mark(join('"\n     "').length)}")`],
    'joined strings': [`x = "${join('" +\n  "')}";`, `x = "${mark(join('" +\n  "').length)}";`],
    'a wrapped data URL': [`<image href="data:image/png;base64,${lines}"/>`, `<image href="${mark(base + 22)}"/>`],
    'entities for line breaks': [
      `<image href="data:image/png;base64,${join('&#10;')}"/>`,
      `<image href="${mark(join('&#10;').length + 22)}"/>`,
    ],
  };
  for (const [name, [text, expected]] of Object.entries(shapes)) becomes(name, text, expected);
  const numbered = lines.split('\n').map((line, index) => `${String(index + 1).padStart(6)}→${line}`);
  const shown = sanitizeToolResult({ output: numbered.join('\n') }).output;
  assert.match(shown, /^ {5}1→\[LARGE_DATA_FILTERED: [\d.]+KB\]$/);
});

test('r5_3 escaped and other alphabets', () => {
  const slashes = image.replaceAll('/', '\\/');
  becomes('escaped slashes', `{"a":"${slashes}"}`, `{"a":"${mark(slashes.length)}"}`);
  const dotNet = image.replaceAll('+', '\\u002B');
  becomes('.NET', `{"a":"${dotNet}"}`, `{"a":"${mark(dotNet.length)}"}`);
  const component = encodeURIComponent(image);
  becomes('a query string', `https://host/a?img=${component}&b=1`, `https://host/a?img=${mark(component.length)}&b=1`);
  const entities = image.replaceAll('+', '&#x2B;');
  becomes('ASP.NET', `<b data-x="${entities}">`, `<b data-x="${mark(entities.length)}">`);
  becomes('Gmail', `{"raw": "${urlSafe}"}`, `{"raw": "${mark(urlSafe.length)}"}`);
  becomes('a prefix', `Screenshot (base64): ${image}`, `Screenshot (base64): ${large}`);
  becomes('a suffix', `${image} [saved]`, `${large} [saved]`);
  becomes('a cut', `${image.slice(0, 30_001)}... [truncated]`, `${mark(30_001)}... [truncated]`);
  becomes('Python', `b'${image}'`, `b'${large}'`);
  becomes(
    'XML',
    `<data encoding="base64">\n   ${image}\n  </data>`,
    `<data encoding="base64">\n   ${large}\n  </data>`,
  );
  becomes('iTerm', `\u001b]1337;File=inline=1:${image}\u0007`, `\u001b]1337;File=inline=1:${large}\u0007`);
  const text = Buffer.from(JSON.stringify(Array.from({ length: 900 }, (_, n) => ({ n, name: `name ${n}` })))).toString(
    'base64',
  );
  becomes('encoded text', `kind: Secret\n  config: ${text}\n`, `kind: Secret\n  config: ${mark(text.length)}\n`);
  const zipped = gzipSync(randomBytes(20_000)).toString('base64');
  becomes('a Helm release', `release: ${zipped}\n`, `release: ${mark(zipped.length)}\n`);
});

test('r5_4 a notebook keeps its code and its text', () => {
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
  becomes('one line', text(`${image}\n`), text(`${large}\n`));
  becomes('wrapped', text(`${joined}\n`), text(`${mark(joined.replaceAll('\n', '\\n').length)}\n`));
  const list = joined.split('\n').map((line) => `${line}\n`);
  const shown = sanitizeToolResult({ output: text(list) }).output;
  assert.ok(shown.length < 1000);
  assert.match(JSON.parse(shown).cells[0].outputs[0].data['image/png'][0], /^\[LARGE_DATA_FILTERED: [\d.]+KB\]\n$/);
});

/** Bytes of a file as they come out of `randomBytes` use all values. */
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

test('r5_4 bytes of every kind are binary data at every depth', () => {
  const placeholder = mark(30_000);
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
      becomes(`${name} in text`, text, JSON.stringify({ result: expected }, null, spaces));
    }
  }
  const buffer = Buffer.alloc(20_000).toJSON();
  const shown = sanitizeToolResult({ output: { stdout: buffer } });
  assert.deepEqual(shown, { output: { stdout: { type: 'Buffer', data: mark(20_000) } } });
  const text = JSON.stringify({ stdout: buffer });
  becomes('a Buffer in text', text, JSON.stringify({ stdout: { type: 'Buffer', data: mark(20_000) } }));
  const known = sanitizeToolResult({ metadata: { imageBase64: [...bytes], pdfImages: [1, 2, 3], audioData: buffer } });
  const binary = placeholder.replace('LARGE', 'BINARY');
  assert.deepEqual(known.metadata, {
    imageBase64: binary,
    pdfImages: [1, 2, 3],
    audioData: mark(20_000 + 6).replace('LARGE', 'BINARY'),
  });
});

test('r5_3 evidence stays', () => {
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
    becomes(name, text, text);
  }
});

test('r5_3 the hosts’ own function removes from metadata what it always did, and nothing more elsewhere', () => {
  const odd = {
    'server-sent events': 'data: {"a":1}\n'.repeat(1000),
    hexadecimal: randomBytes(6000).toString('hex'),
    DNA: 'ACGT'.repeat(4000),
    digits: '0123456789'.repeat(2000),
    padding: `${'x='.repeat(6000)}`,
  };
  for (const [name, text] of Object.entries(odd)) {
    const result = {
      toolCallId: 'a',
      success: true,
      output: text,
      error: text,
      metadata: { x: text, deep: { x: text } },
    };
    const placeholder = mark(text.length);
    assert.deepEqual(
      sanitizeToolResultForHistory(result),
      { ...result, metadata: { x: placeholder, deep: { x: placeholder } } },
      name,
    );
    assert.deepEqual(sanitizeToolResult(result), result, name);
    assert.deepEqual(result.metadata, { x: text, deep: { x: text } }, 'the original is only read');
  }
  assert.deepEqual(sanitizeToolResultForHistory({ output: `see ${url}` }), { output: `see ${largeUrl}` });
  assert.deepEqual(sanitizeToolResultForHistory({ a: 1 }), { a: 1 });
  assert.throws(() => sanitizeToolResultForHistory(/** @type {any} */ (null)), { message: /^result: / });
});

test('r5_6 a model reads no binary data in an output that is no text', () => {
  const output = { screenshot: image, list: [bytes], json: JSON.stringify({ url }), width: 3 };
  const text = formatToolResultForModel([{ toolCallId: 'a', success: true, output }]);
  const shown = { screenshot: large, list: [mark(30_000)], json: JSON.stringify({ url: largeUrl }), width: 3 };
  assert.equal(text, `✓ a: ${JSON.stringify(shown)}`);
  assert.equal(
    formatToolResultForModel([{ toolCallId: 'a', success: true, output: `at ${url}` }]),
    `✓ a: at ${largeUrl}`,
  );
  assert.equal(formatToolResultForModel([{ toolCallId: 'a', success: true, output: bytes }]), `✓ a: ${mark(30_000)}`);
  const log = 'a line of a log\n'.repeat(2000);
  assert.equal(formatToolResultForModel([{ toolCallId: 'a', success: true, output: Buffer.from(log) }]), `✓ a: ${log}`);
  const failed = { toolCallId: 'a', success: false, error: { message: `no ${url}` }, output: { data: image } };
  assert.equal(formatToolResultForModel([failed]), `✗ a: no ${largeUrl}\n{"data":"${large}"}`);
});

test('r5_6 an MCP result has no success, and fails only where it says so', () => {
  const words = (/** @type {any} */ result) => formatToolResultForModel([result]);
  assert.equal(words({ content: [{ type: 'text', text: '12 °C' }] }), '✓ 12 °C');
  assert.equal(words({ toolCallId: 'a', content: [{ type: 'text', text: '12 °C' }], isError: false }), '✓ a: 12 °C');
  assert.equal(words({ content: [{ type: 'text', text: 'no such city' }], isError: true }), '✗ no such city');
  assert.equal(words({ content: [], isError: true }), '✗ Failed');
  assert.equal(words({ content: [] }), '✓ Success');
  assert.equal(words({ tool_use_id: 'b', content: 'plain' }), '✓ b: plain');
  const blocks = [
    { type: 'text', text: JSON.stringify({ screenshot: image }) },
    { type: 'image', data: image, mimeType: 'image/png' },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'file:///a.txt', text: 'the file' } },
    { type: 'resource', resource: { uri: 'file:///a.pdf', blob: image } },
    { type: 'resource_link', uri: 'file:///b.txt', name: 'b' },
  ];
  const binary = large.replace('LARGE', 'BINARY');
  const expected = [
    `{"screenshot":"${large}"}`,
    `image/png: ${binary}`,
    '[audio/wav]',
    'the file',
    `file:///a.pdf: ${binary}`,
    'file:///b.txt',
  ];
  assert.equal(words({ content: blocks }), `✓ ${expected.join('\n')}`);
  assert.equal(words({ content: [], structuredContent: { a: 1, image } }), `✓ {"a":1,"image":"${large}"}`);
  assert.equal(words({ content: [{ type: 'text', text: 'x' }], structuredContent: { a: 1 } }), '✓ x');
  assert.equal(words({ output: 'x' }), '✗ undefined: Failed\nx', 'what is no MCP result reads as the seed has it');
});

/** Texts around data, with what JSON, HTML and Markdown put there. */
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

test('r5_3 the data goes from any text, and what is around it stays', () => {
  const delimiter = fc.constantFrom(' ', '"', "'", '\n\n', ': ', '(', '<', '|');
  const property = fc.property(around, delimiter, data, delimiter, around, (before, open, held, close, after) => {
    const text = `${before}${open}${held}${close}${after}`;
    const { output } = sanitizeToolResult({ output: text });
    assert.ok(
      output.length < 600,
      `${JSON.stringify([before, open, held.slice(0, 40), close, after])}: ${output.length}`,
    );
    assert.match(output, /\[LARGE_DATA_FILTERED: [\d.]+KB\]/);
    assert.deepEqual(sanitizeToolResult({ output }), { output }, 'twice changes nothing more');
    const json = JSON.stringify([{ output: text }]);
    assert.equal(sanitizeToolResultsJson(json), JSON.stringify([{ output }]));
    const nested = JSON.stringify({ a: text, b: [1] });
    assert.ok(typeof JSON.parse(sanitizeToolResult({ nested }).nested) === 'object', 'JSON stays JSON');
  });
  fc.assert(property, { numRuns: 1000 });
});

test('r5_5 text without data is left alone, and both forms agree, whatever the text', () => {
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
    const [one] = sanitizeToolResults([{ text }]);
    assert.equal(sanitizeToolResultsJson(JSON.stringify([{ text }])), JSON.stringify([one]));
    assert.deepEqual(sanitizeToolResult(/** @type {any} */ (one)), one);
  });
  fc.assert(property, { numRuns: 1000 });
});
