// @ts-check
'use strict';

const { readId, readPlain, roleAndText } = require('../archive/stored-form.js');
const { outOfRange } = require('../errors.js');
const { crypto } = require('../node-modules.js');
const native = require('../native.js');

/**
 * The SQL of a PostgresStore: its tables and statements, and the conversion of batches and search hits to and from rows. Each statement is its own
 * transaction: it takes one round trip, and a pool may use another connection each time.
 */

/** PostgreSQL truncates longer names, so two of them could refer to the same schema. */ const MAX_NAME_BYTES = 63;

/** @param {string} name of an option @param {unknown} value @returns {string} as a quoted identifier */
function readSchema(name, value) {
  const schema = readPlain(name, readId(name, value));
  const bytes = Buffer.byteLength(schema);
  if (bytes > MAX_NAME_BYTES) throw outOfRange(name, `at most ${MAX_NAME_BYTES} bytes of UTF-8`, `${bytes}`);
  return `"${schema.replaceAll('"', '""')}"`;
}

/**
 * Keys are digests of ids, because an index can't hold keys of any length, and text can't hold NUL. Messages are `text`, because `jsonb` reorders
 * keys. Under row-level security, an index is not used by operators that aren't leakproof, such as those of arrays. So `grams` is queried by a
 * function with its owner's rights, which returns positions of the current tenant only.
 * @param {string} schema as a quoted identifier
 */
function tables(schema) {
  const conversationColumns = 'tenant text NOT NULL, conversation text NOT NULL';
  const within = (/** @type {string} */ columns, /** @type {string} */ table) =>
    `FOREIGN KEY (${columns}) REFERENCES ${schema}.${table} ON DELETE CASCADE`;
  return `
CREATE SCHEMA IF NOT EXISTS ${schema};
CREATE TABLE IF NOT EXISTS ${schema}.conversations (
  tenant text NOT NULL, key text NOT NULL, name text NOT NULL, expires_at timestamptz,
  PRIMARY KEY (tenant, key)
);
CREATE INDEX IF NOT EXISTS conversations_expiry ON ${schema}.conversations (tenant, expires_at);
CREATE TABLE IF NOT EXISTS ${schema}.batches (
  ${conversationColumns}, key text NOT NULL, name text NOT NULL,
  kind text NOT NULL, level bigint NOT NULL, at_ms double precision NOT NULL, summary text,
  messages integer NOT NULL, bytes bigint NOT NULL, digest text NOT NULL, appended_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, conversation, key), ${within('tenant, conversation', 'conversations')}
);
CREATE TABLE IF NOT EXISTS ${schema}.messages (
  ${conversationColumns}, batch text NOT NULL, position integer NOT NULL, json text NOT NULL, text text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, conversation, batch, position), ${within('tenant, conversation, batch', 'batches')}
);
CREATE TABLE IF NOT EXISTS ${schema}.grams (
  ${conversationColumns}, batch text NOT NULL, position integer NOT NULL, grams integer[] NOT NULL,
  PRIMARY KEY (tenant, conversation, batch, position), ${within('tenant, conversation, batch', 'batches')}
);
CREATE INDEX IF NOT EXISTS grams_grams ON ${schema}.grams USING gin (grams) WITH (gin_pending_list_limit = 256);
CREATE OR REPLACE FUNCTION ${schema}.places_of(wanted integer[], within text)
  RETURNS TABLE (conversation text, batch text, "position" integer)
  LANGUAGE sql STABLE ROWS 20 SECURITY DEFINER SET search_path = '' AS $function$
    SELECT g.conversation, g.batch, g.position FROM ${schema}.grams g
    WHERE g.grams @> wanted AND g.tenant = current_setting('palimpsest.tenant', true)
      AND (within IS NULL OR g.conversation = within)
  $function$;
`;
}

/** Adds facts; removes conversations' states, which existed before 0.2 and are no longer read. @param {string} schema */
function facts(schema) {
  const states = ['version', 'fence', 'owner', 'lease_ends_at', 'snapshot', 'snapshot_version'];
  return `
DROP TABLE IF EXISTS ${schema}.deltas;
ALTER TABLE ${schema}.conversations ${states.map((column) => `DROP COLUMN IF EXISTS ${column},`).join(' ')}
  ADD COLUMN IF NOT EXISTS facts bigint NOT NULL DEFAULT 0;
CREATE TABLE IF NOT EXISTS ${schema}.facts (
  tenant text NOT NULL, conversation text NOT NULL, position bigint NOT NULL, written_at timestamptz NOT NULL, fact text NOT NULL,
  PRIMARY KEY (tenant, conversation, position),
  FOREIGN KEY (tenant, conversation) REFERENCES ${schema}.conversations ON DELETE CASCADE
);
`;
}

/** Rows of tenants other than the transaction's are neither visible nor writable. @param {string} schema @param {readonly string[]} tables */
function policies(schema, tables) {
  const tenant = `tenant = current_setting('palimpsest.tenant', true)`;
  // The policy of `grams` must not apply to its owner, whose rights the function has.
  const policyOf = (/** @type {string} */ table) => `
ALTER TABLE ${schema}.${table} ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS tenant ON ${schema}.${table};
CREATE POLICY tenant ON ${schema}.${table} USING (${tenant}) WITH CHECK (${tenant});
${table === 'grams' ? '' : `ALTER TABLE ${schema}.${table} FORCE ROW LEVEL SECURITY;`}
`;
  return tables.map(policyOf).join('');
}

/** Each step may be run again. Released steps never change: new ones are appended. @param {string} schema as a quoted identifier */
function migrations(schema) {
  // Several statements in one query are one transaction. Servers that migrate at the same time wait for each other's: their statements would
  // deadlock on the same tables.
  const name = `palimpsest ${schema}`.replaceAll("'", "''");
  const lock = `SELECT pg_advisory_xact_lock(hashtextextended('${name}', 0));`;
  const originals = ['conversations', 'batches', 'messages', 'grams'];
  return [
    { version: 1, sql: lock + tables(schema) + policies(schema, originals) },
    { version: 2, sql: lock + facts(schema) + policies(schema, ['facts']) },
  ];
}

/**
 * Sets the tenant, the first parameter, for the row-level policies of this transaction. PostgreSQL evaluates a condition without columns
 * before it reads any row; otherwise the policies would hide all rows.
 */
const GUARD = `(SELECT set_config('palimpsest.tenant', $1::text, true)) = $1::text`;

const NOW = `now AS (SELECT clock_timestamp() AS at WHERE ${GUARD})`;
const EXPIRY = `now.at + $4::float8 * interval '1 millisecond'`;

/** @param {string} s the schema as a quoted identifier */
function statements(s) {
  const fact = `fact, round(extract(epoch FROM written_at) * 1000)::float8 AS "atMs"`;
  const summed = `count(*)::float8 AS batches, coalesce(sum(b.messages), 0)::float8 AS messages`;
  const ofConversation = `${GUARD} AND tenant = $1 AND conversation = $2`;

  return {
    /** $2 the conversation's key, $3 its name, $4 retention in ms or null, $5 the batch, $6 its messages. `gate` has no row on a conflict. */
    append: `WITH ${NOW},
      batch AS (SELECT * FROM json_to_record($5::json) AS b(key text, name text, kind text, level bigint, at_ms float8, summary text,
        messages integer, bytes bigint, digest text)),
      there AS (SELECT x.digest = b.digest AND x.kind = b.kind AND x.level = b.level AS is_same
        FROM batch b JOIN ${s}.batches x ON x.tenant = $1 AND x.conversation = $2 AND x.key = b.key WHERE ${GUARD}),
      gate AS (INSERT INTO ${s}.conversations (tenant, key, name, expires_at)
        SELECT $1, $2, $3, ${EXPIRY} FROM now WHERE NOT EXISTS (SELECT FROM there WHERE NOT is_same)
        ON CONFLICT (tenant, key) DO UPDATE SET expires_at = excluded.expires_at RETURNING key),
      added AS (INSERT INTO ${s}.batches
          (tenant, conversation, key, name, kind, level, at_ms, summary, messages, bytes, digest, appended_at)
        SELECT $1, $2, b.key, b.name, b.kind, b.level, b.at_ms, b.summary, b.messages, b.bytes, b.digest, now.at
        FROM gate, now, batch b ON CONFLICT (tenant, conversation, key) DO NOTHING RETURNING key),
      input AS (SELECT added.key AS batch, m.* FROM added,
        json_to_recordset($6::json) AS m(position integer, json text, text text, grams text)),
      kept AS (INSERT INTO ${s}.messages (tenant, conversation, batch, position, json, text)
        SELECT $1, $2, batch, position, json, text FROM input),
      indexed AS (INSERT INTO ${s}.grams (tenant, conversation, batch, position, grams)
        SELECT $1, $2, batch, position, grams::integer[] FROM input)
      SELECT (SELECT count(*) FROM gate)::float8 AS passed,
        ((SELECT count(*) FROM added) + (SELECT count(*) FROM there))::float8 AS there`,

    /** $3 keys of batches, as JSON. */
    getMany: `SELECT b.name, b.kind, b.level::float8, b.at_ms, b.summary, b.messages AS count,
        (SELECT coalesce(json_agg(m.json ORDER BY m.position), '[]')::text FROM ${s}.messages m
          WHERE m.tenant = $1 AND m.conversation = $2 AND m.batch = b.key) AS messages
      FROM json_array_elements_text($3::json) WITH ORDINALITY AS w(key, place)
      JOIN ${s}.batches b ON b.tenant = $1 AND b.conversation = $2 AND b.key = w.key
      WHERE ${GUARD} ORDER BY w.place`,

    /** $2 the session's key or null, $3 words, $4 words for ranking, $5 maximum number of rows, $6 grams if it uses the index. @param {boolean} usesIndex */
    find: (usesIndex) => `SELECT m.conversation, m.batch, m.position, octet_length(m.text) AS bytes,
        (SELECT coalesce(json_agg((length(m.text) - length(replace(m.text, w.word, ''))) / length(w.word) ORDER BY w.place), '[]')::text
          FROM json_array_elements_text($4::json) WITH ORDINALITY AS w(word, place)) AS counts
      FROM ${
        usesIndex
          ? `${s}.places_of($6::integer[], $2::text) f JOIN ${s}.messages m ON m.tenant = $1
        AND m.conversation = f.conversation AND m.batch = f.batch AND m.position = f.position`
          : `${s}.messages m`
      }
      JOIN ${s}.batches b ON b.tenant = $1 AND b.conversation = m.conversation AND b.key = m.batch
      WHERE ${GUARD} AND m.tenant = $1 AND ($2::text IS NULL OR m.conversation = $2)
        AND NOT EXISTS (SELECT FROM json_array_elements_text($3::json) AS w(word) WHERE strpos(m.text, w.word) = 0)
      ORDER BY b.appended_at DESC, m.conversation, m.batch, m.position DESC LIMIT $5::bigint`,

    /** $2 positions, as JSON. `OFFSET 0` forces a lookup by key for each: a planner that expects a hundred rows would scan the whole table. */
    read: `SELECT c.name AS session, b.name AS batch, b.at_ms, m.position, m.json
      FROM json_array_elements($2::json) WITH ORDINALITY AS p(value, place)
      CROSS JOIN LATERAL (SELECT x.* FROM ${s}.messages x WHERE x.tenant = $1 AND x.conversation = p.value ->> 0
        AND x.batch = p.value ->> 1 AND x.position = (p.value ->> 2)::integer OFFSET 0) m
      JOIN ${s}.batches b ON b.tenant = $1 AND b.conversation = m.conversation AND b.key = m.batch
      JOIN ${s}.conversations c ON c.tenant = $1 AND c.key = m.conversation
      WHERE ${GUARD} ORDER BY p.place`,

    sessions: `SELECT c.name, ${summed}, sum(b.bytes)::float8 AS bytes, min(b.at_ms) AS "firstAt", max(b.at_ms) AS "lastAt"
      FROM ${s}.batches b JOIN ${s}.conversations c ON c.tenant = $1 AND c.key = b.conversation
      WHERE ${GUARD} AND b.tenant = $1 GROUP BY c.key, c.name ORDER BY max(b.appended_at) DESC`,

    delete: `WITH deleted AS (DELETE FROM ${s}.conversations WHERE ${GUARD} AND tenant = $1 AND key = $2)
      SELECT ${summed} FROM ${s}.batches b WHERE ${GUARD} AND b.tenant = $1 AND b.conversation = $2`,

    deleteExpired: `WITH deleted AS (DELETE FROM ${s}.conversations
        WHERE ${GUARD} AND tenant = $1 AND expires_at <= clock_timestamp() RETURNING key)
      SELECT count(*)::float8 AS conversations FROM deleted`,

    /** The batches that differ from what was stored; $2 the maximum number returned. */
    integrity: `SELECT b.key FROM ${s}.batches b WHERE ${GUARD} AND b.tenant = $1 AND NOT EXISTS (SELECT FROM (
        SELECT count(*) AS messages, encode(sha256(convert_to(coalesce(string_agg(m.json, E'\\n' ORDER BY m.position), ''), 'UTF8')), 'hex') AS digest
        FROM ${s}.messages m WHERE m.tenant = $1 AND m.conversation = b.conversation AND m.batch = b.key
      ) kept WHERE kept.messages = b.messages AND kept.digest = b.digest)
      ORDER BY b.key LIMIT $2::bigint`,

    /** The facts from position $3 on. */
    facts: `SELECT ${fact} FROM ${s}.facts WHERE ${ofConversation} AND position >= $3::bigint ORDER BY position`,

    /**
     * $5 facts as JSON, $6 the expected number of stored facts. Concurrent writers wait for each other on the conversation's row, which counts its
     * facts. If the conversation is deleted in the meantime, its row is inserted again, without facts.
     */
    appendFacts: `WITH ${NOW},
      input AS (SELECT json_array_length($5::json) AS count),
      gate AS (INSERT INTO ${s}.conversations AS c (tenant, key, name, facts, expires_at)
        SELECT $1, $2, $3, CASE WHEN $6::bigint = 0 THEN input.count ELSE 0 END, ${EXPIRY} FROM now, input
        WHERE $6::bigint = 0 OR EXISTS (SELECT FROM ${s}.conversations x WHERE ${GUARD} AND x.tenant = $1 AND x.key = $2)
        ON CONFLICT (tenant, key) DO UPDATE SET facts = c.facts + json_array_length($5::json), expires_at = excluded.expires_at
        WHERE c.facts = $6::bigint RETURNING c.facts),
      added AS (INSERT INTO ${s}.facts (tenant, conversation, position, written_at, fact)
        SELECT $1, $2, $6::bigint + w.place - 1, now.at, w.fact
        FROM now, input, gate, json_array_elements_text($5::json) WITH ORDINALITY AS w(fact, place)
        WHERE gate.facts = $6::bigint + input.count RETURNING position, written_at, fact)
      SELECT ${fact} FROM (SELECT * FROM added UNION ALL SELECT position, written_at, fact FROM ${s}.facts
        WHERE ${ofConversation} AND position >= $6::bigint AND NOT EXISTS (SELECT FROM added)) standing ORDER BY position`,
  };
}

/** A digest of an id, so that all keys have the same length. @param {string} id */
const keyOf = (id) => crypto.createHash('sha256').update(id).digest('base64url');

/** A batch as two JSON parameters, because drivers differ in how they pass arrays. @param {import('../archive/stored-form.js').StoredBatch} batch @param {string} tenant */
async function batchParams({ id, kind, level, at, summary, messages }, tenant) {
  const jsons = messages.map(({ json }) => json);
  const texts = messages.map(({ text }) => text);
  const indexed = await native.archiveIndexed(texts, tenant);
  // `grams`: numbers of one to three neighbouring characters each, by which the index finds the text.
  const rows = indexed.map(({ text, grams }, position) => {
    return { position, json: jsons[position], text, grams: `{${grams.join()}}` };
  });
  const bytes = jsons.reduce((sum, json) => sum + Buffer.byteLength(json), 0);
  const digest = crypto.createHash('sha256').update(jsons.join('\n')).digest('hex');
  const name = JSON.stringify(id);
  const head = { key: keyOf(id), name, kind, level, at_ms: at, summary, messages: jsons.length, bytes, digest };
  return [JSON.stringify(head), JSON.stringify(rows)];
}

/** The batch in a row. @param {any} row */
function batchIn({ name, kind, level, at_ms, summary, count, messages }) {
  const summaryField = summary !== null && { summary: JSON.parse(summary) };
  const parsed = JSON.parse(messages).map((/** @type {string} */ json) => JSON.parse(json));
  return { id: JSON.parse(name), kind, level, at: at_ms, ...summaryField, count, messages: parsed };
}

/** The search hit in a row. @param {any} row @param {string} query @param {number} context units on each side of the match */
function hitIn({ session, batch, at_ms, position, json }, query, context) {
  const message = JSON.parse(json);
  const { role, text } = roleAndText(message);
  const location = { sessionId: JSON.parse(session), batchId: JSON.parse(batch), index: position, at: at_ms };
  return { ...location, snippet: native.archiveSnippet(query, text, context), role, message };
}

module.exports = { batchIn, batchParams, hitIn, keyOf, migrations, readSchema, statements };
