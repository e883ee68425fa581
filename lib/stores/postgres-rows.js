// @ts-check
'use strict';

/** Converts batches and search hits between their form in JavaScript and the rows of PostgreSQL. */

const { roleAndText } = require('../archive/stored-form.js');
const { crypto } = require('../node-modules.js');
const native = require('../native.js');

/** @typedef {import('../archive/stored-form.js').StoredBatch} StoredBatch */

/** A digest of an id, so that all keys have the same length. @param {string} id */
function keyOf(id) {
  return crypto.createHash('sha256').update(id).digest('base64url');
}

/** A batch as two JSON parameters, because drivers differ in how they pass arrays. @param {StoredBatch} batch @param {string} tenant */
async function batchParams({ id, kind, level, at, summary, messages }, tenant) {
  const jsons = messages.map(({ json }) => json);
  const texts = messages.map(({ text }) => text);
  const indexed = await native.archiveIndexed(texts, tenant);
  const rows = jsons.map((json, position) => {
    // `grams`: numbers of one to three neighbouring characters each, by which the index finds the text.
    const { text = '', grams = [] } = indexed[position] ?? {};
    return { position, json, text, grams: `{${grams.join()}}` };
  });
  const bytes = jsons.reduce((sum, json) => sum + Buffer.byteLength(json), 0);
  const digest = crypto.createHash('sha256').update(jsons.join('\n')).digest('hex');
  const name = JSON.stringify(id);
  const head = { key: keyOf(id), name, kind, level, at_ms: at, summary, messages: jsons.length, bytes, digest };
  return [JSON.stringify(head), JSON.stringify(rows)];
}

/** The batch in a row. @param {any} row */
function batchIn({ name, kind, level, at_ms, summary, count, messages }) {
  const summaryField = summary === null ? {} : { summary: JSON.parse(summary) };
  const parsed = JSON.parse(messages).map((/** @type {string} */ json) => JSON.parse(json));
  return { id: JSON.parse(name), kind, level, at: at_ms, ...summaryField, count, messages: parsed };
}

/** The search hit in a row. @param {any} row @param {string} query @param {number} context units on each side of the match */
function hitIn({ session, batch, at_ms, position, json }, query, context) {
  const message = JSON.parse(json);
  const { role, text } = roleAndText(message);
  const snippet = native.archiveSnippet(query, text, context);
  const place = { sessionId: JSON.parse(session), batchId: JSON.parse(batch), index: position, at: at_ms };
  return { ...place, snippet, role, message };
}

module.exports = { batchIn, batchParams, hitIn, keyOf };
