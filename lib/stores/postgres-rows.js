// @ts-check
'use strict';

const { readText } = require('../arguments.js');
const { LONE_SURROGATE, saidIn } = require('../archive/stored-form.js');
const { outOfRange } = require('../errors.js');
const { crypto } = require('../node-modules.js');
const native = require('../native.js');

/** @typedef {import('../archive/stored-form.js').StoredBatch} StoredBatch */

/** A digest, so that keys of all ids are equally long. @param {string} id */
function keyOf(id) {
  return crypto.createHash('sha256').update(id).digest('base64url');
}

/** PostgreSQL holds no NUL, and UTF-8 no lone surrogate. @param {string} name @param {unknown} value @param {number} [longest] */
function readPlain(name, value, longest = Number.POSITIVE_INFINITY) {
  const text = readText(name, value);
  const isPlain = !text.includes('\0') && !LONE_SURROGATE.test(text);
  if (!isPlain) throw outOfRange(name, 'well-formed text without NUL', 'other text');
  if (text.length > longest) throw outOfRange(name, `at most ${longest} units`, `${text.length}`);
  return text;
}

/** Two JSON parameters, since drivers differ in how they take arrays. @param {StoredBatch[]} batches @param {string} tenant */
async function written(batches, tenant) {
  const messages = batches.flatMap(({ id, messages: ofBatch }) => {
    const batch = keyOf(id);
    return ofBatch.map(({ json, text }, position) => ({ batch, position, json, text }));
  });
  const texts = messages.map(({ text }) => text);
  const indexed = await native.archiveIndexed(texts, tenant);
  const rows = messages.map((message, index) => {
    const { text = '', grams = [] } = indexed[index] ?? {};
    return { ...message, text, grams: `{${grams.join()}}` };
  });
  return [JSON.stringify(batches.map(head)), JSON.stringify(rows)];
}

/** @param {StoredBatch} batch @param {number} place */
function head({ id, kind, level, at, summary, messages }, place) {
  const jsons = messages.map(({ json }) => json);
  return {
    key: keyOf(id),
    name: JSON.stringify(id),
    kind,
    level,
    at_ms: at,
    summary,
    messages: jsons.length,
    bytes: jsons.reduce((sum, json) => sum + Buffer.byteLength(json), 0),
    digest: crypto.createHash('sha256').update(jsons.join('\n')).digest('hex'),
    place,
  };
}

/** @param {any} row */
function restored({ name, kind, level, at_ms, summary, count, messages }) {
  const said = summary === null ? {} : { summary: JSON.parse(summary) };
  const parsed = JSON.parse(messages).map((/** @type {string} */ json) => JSON.parse(json));
  return { id: JSON.parse(name), kind, level, at: at_ms, ...said, count, messages: parsed };
}

/** @param {any} row @param {string} query @param {number} context */
function hit({ session, batch, at_ms, position, json }, query, context) {
  const message = JSON.parse(json);
  const { role, text } = saidIn(message);
  const snippet = native.archiveSnippet(query, text, context);
  const place = { sessionId: JSON.parse(session), batchId: JSON.parse(batch), index: position, at: at_ms };
  return { ...place, snippet, role, message };
}

/** @param {any[]} rows */
function acquired([row]) {
  if (row === undefined) return null;
  const { version, fence, snapshot, deltas, now_ms } = row;
  const state = snapshot === null ? null : { snapshot, deltas: JSON.parse(deltas) };
  return { state, version: version ?? 0, fence: fence ?? 0, nowMs: now_ms };
}

module.exports = { acquired, hit, keyOf, readPlain, restored, written };
