// @ts-check
/** When the gateway removes results from a request, all other bytes stay, in each dialect and with any spelling of the JSON. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { itemsOf, membersOf, textOf } from '../../bin/gateway/json-spans.mjs';
import { HOUR, KINDS, START, send, startGateway, startUpstream } from '../support/gateway.mjs';

/** How a client writes JSON: indentation, values of unknown fields, escapes; the same in each request. */
const spelling = fc.record({
  indent: fc.constantFrom(0, 1, '\t'),
  unknown: fc.constantFrom(
    '1e400',
    '-0.0',
    '1.10E+2',
    '"\\u00e9\\/"',
    '{"a":1,"a":2}',
    '[[[[1]]]]',
    '123456789012345678901234567890',
  ),
  isEscaped: fc.boolean(),
});

/** @param {any} body @param {{ indent: any, unknown: string, isEscaped: boolean }} spelling */
function textOfBody(body, { indent, unknown, isEscaped }) {
  const marker = '"THE UNKNOWN"';
  const withUnknown = (/** @type {any} */ message) => ({ x_first: 'THE UNKNOWN', ...message, x_last: 'THE UNKNOWN' });
  const list = Object.keys(body).find((key) => ['messages', 'input', 'contents'].includes(key)) ?? '';
  const text = JSON.stringify(
    { z: 'THE UNKNOWN', ...body, [list]: body[list].map(withUnknown), a: 'THE UNKNOWN' },
    null,
    indent,
  );
  const spelled = text.replaceAll(marker, unknown);
  return isEscaped ? spelled.replaceAll('check', '\\u0063heck') : spelled;
}

/** The text around the list, and that of its items. @param {string} text @param {string} name */
function piecesOf(text, name) {
  const bytes = Buffer.from(text);
  const list = membersOf(bytes, 0).members.find(({ key }) => key === name);
  assert.ok(list);
  const { items } = itemsOf(bytes, list.start);
  const between = items.map(({ end }, at) => textOf(bytes, { start: end, end: items[at + 1]?.start ?? list.end }));
  const ends = [
    textOf(bytes, { start: 0, end: items[0].start }),
    textOf(bytes, { start: list.end, end: bytes.length }),
  ];
  return { around: [...ends, ...between], items: items.map((item) => textOf(bytes, item)) };
}

/** An item without breakpoints and results' texts, which the gateway may change. @param {string} item */
const withoutResult = (item) =>
  item
    .replace(/,"cache_control":\{"type":"ephemeral"\}/g, '')
    .replace(/("(?:content|output)":\s*)"(?:[^"\\]|\\.)*"/g, '$1""');

for (const [kind, { provider, path, body, list }] of Object.entries(KINDS)) {
  test(`${kind}: the gateway changes only results' texts and breakpoints`, async (t) => {
    let now = START;
    const upstream = await startUpstream(t);
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(spelling, async (how) => {
        const { urls, close } = await startGateway(t, { upstream: upstream.url, clock: () => now });
        for (let step = 0; step < 34; step++) {
          now += step % 15 === 14 ? HOUR : 20_000;
          const text = textOfBody(body(step), how);
          await send(`${urls[provider]}${path}`, { body: text });
          const sent = String(upstream.received.at(-1)?.body);
          upstream.received.length = 0;
          if (sent === text) continue;
          const [before, after] = [piecesOf(text, list), piecesOf(sent, list)];
          assert.deepEqual(after.around, before.around);
          assert.deepEqual(after.items.map(withoutResult), before.items.map(withoutResult));
          const results = before.items.filter((item, at) => item.length > after.items[at].length + 500);
          changed += results.length;
        }
        await close();
      }),
      { numRuns: 14 },
    );
    assert.ok(changed > 0, 'no result was removed');
  });
}
