// @ts-check
'use strict';

/**
 * Each statement is a transaction of its own: it takes one round trip, and a pool may use another connection each time.
 *
 * `GUARD` names the tenant, the first parameter, to the row-level policies for this transaction. PostgreSQL tries a condition
 * without columns before it reads a row; if it didn't, the policies would show no row.
 */
const GUARD = `(SELECT set_config('palimpsest.tenant', $1::text, true)) = $1::text`;

const NOW = `now AS (SELECT clock_timestamp() AS at WHERE ${GUARD})`;
/** @param {string} at */
const ms = (at) => `(extract(epoch FROM ${at}) * 1000)::float8`;
/** @param {string} ms */
const interval = (ms) => `${ms}::float8 * interval '1 millisecond'`;

/** @param {string} s the schema as a quoted identifier */
function statements(s) {
  const given = `json_to_recordset($5::json) AS b(key text, name text, kind text, level bigint, at_ms float8, summary text,
      messages integer, bytes bigint, digest text, place integer)`;
  /** Batches that are stored already. */
  const there = `there AS (SELECT b.key, x.digest = b.digest AND x.kind = b.kind AND x.level = b.level AS is_same
      FROM ${given} JOIN ${s}.batches x ON x.tenant = $1 AND x.conversation = $2 AND x.key = b.key WHERE ${GUARD})`;
  const isFree = `NOT EXISTS (SELECT FROM there WHERE NOT is_same)`;
  /** $5: batches; $6: their messages. Nothing is written unless `gate` has a row. */
  const added = `added AS (INSERT INTO ${s}.batches
        (tenant, conversation, key, name, kind, level, at_ms, summary, messages, bytes, digest, appended_at)
      SELECT $1, $2, b.key, b.name, b.kind, b.level, b.at_ms, b.summary, b.messages, b.bytes, b.digest,
        now.at + b.place * interval '1 microsecond'
      FROM gate, now, ${given} ON CONFLICT (tenant, conversation, key) DO NOTHING RETURNING key),
    given AS (SELECT m.* FROM added JOIN json_to_recordset($6::json)
      AS m(batch text, position integer, json text, text text, grams text) ON m.batch = added.key),
    kept AS (INSERT INTO ${s}.messages (tenant, conversation, batch, position, json, text)
      SELECT $1, $2, batch, position, json, text FROM given),
    indexed AS (INSERT INTO ${s}.grams (tenant, conversation, batch, position, grams)
      SELECT $1, $2, batch, position, grams::integer[] FROM given)`;
  const expiry = (/** @type {string} */ at) => `${at} + ${interval('$4')}`;
  const deltas = (/** @type {string} */ c) => `(SELECT coalesce(json_agg(d.text ORDER BY d.version), '[]')::text
      FROM ${s}.deltas d WHERE d.tenant = $1 AND d.conversation = $2 AND d.version > ${c}.snapshot_version) AS deltas`;
  const state = (/** @type {string} */ c) => `${c}.version::float8, ${c}.fence::float8, ${c}.snapshot,
      ${c}.snapshot_version::float8, ${deltas(c)}, ${ms('now.at')} AS now_ms`;
  const summed = `count(*)::float8 AS batches, coalesce(sum(b.messages), 0)::float8 AS messages`;
  const ofConversation = `tenant = $1 AND conversation = $2`;

  return {
    /** $2 the conversation's key, $3 its name, $4 retention in ms or null. */
    append: `WITH ${NOW}, ${there},
      gate AS (INSERT INTO ${s}.conversations (tenant, key, name, expires_at)
        SELECT $1, $2, $3, ${expiry('now.at')} FROM now WHERE ${isFree}
        ON CONFLICT (tenant, key) DO UPDATE SET expires_at = excluded.expires_at RETURNING key),
      ${added}
      SELECT (SELECT count(*) FROM gate)::float8 AS passed,
        ((SELECT count(*) FROM added) + (SELECT count(*) FROM there))::float8 AS there`,

    /** $3 keys of batches, as JSON. */
    getMany: `SELECT b.name, b.kind, b.level::float8, b.at_ms, b.summary, b.messages AS count,
        (SELECT coalesce(json_agg(m.json ORDER BY m.position), '[]')::text FROM ${s}.messages m
          WHERE m.tenant = $1 AND m.conversation = $2 AND m.batch = b.key) AS messages
      FROM json_array_elements_text($3::json) WITH ORDINALITY AS w(key, place)
      JOIN ${s}.batches b ON b.tenant = $1 AND b.conversation = $2 AND b.key = w.key
      WHERE ${GUARD} ORDER BY w.place`,

    /** $2 the session's key or null, $3 words, $4 words that rank, $5 the most rows; `grams`: $6 what the index has. */
    find: (/** @type {boolean} */ grams) => `SELECT m.conversation, m.batch, m.position, octet_length(m.text) AS bytes,
        (SELECT coalesce(json_agg((length(m.text) - length(replace(m.text, w.word, ''))) / length(w.word) ORDER BY w.place), '[]')::text
          FROM json_array_elements_text($4::json) WITH ORDINALITY AS w(word, place)) AS counts
      FROM ${
        grams
          ? `${s}.places_of($6::integer[], $2::text) f JOIN ${s}.messages m ON m.tenant = $1
        AND m.conversation = f.conversation AND m.batch = f.batch AND m.position = f.position`
          : `${s}.messages m`
      }
      JOIN ${s}.batches b ON b.tenant = $1 AND b.conversation = m.conversation AND b.key = m.batch
      WHERE ${GUARD} AND m.tenant = $1 AND ($2::text IS NULL OR m.conversation = $2)
        AND NOT EXISTS (SELECT FROM json_array_elements_text($3::json) AS w(word) WHERE strpos(m.text, w.word) = 0)
      ORDER BY b.appended_at DESC, m.conversation, m.batch, m.position DESC LIMIT $5::bigint`,

    /** $2 places, as JSON. `OFFSET 0` has each looked up by its key: a planner that expects a hundred reads the whole table. */
    read: `SELECT c.name AS session, b.name AS batch, b.at_ms, m.position, m.json
      FROM json_array_elements($2::json) WITH ORDINALITY AS p(value, place)
      CROSS JOIN LATERAL (SELECT x.* FROM ${s}.messages x WHERE x.tenant = $1 AND x.conversation = p.value ->> 0
        AND x.batch = p.value ->> 1 AND x.position = (p.value ->> 2)::integer OFFSET 0) m
      JOIN ${s}.batches b ON b.tenant = $1 AND b.conversation = m.conversation AND b.key = m.batch
      JOIN ${s}.conversations c ON c.tenant = $1 AND c.key = m.conversation
      WHERE ${GUARD} ORDER BY p.place`,

    sessions: `SELECT c.name, ${summed}, sum(b.bytes)::float8 AS bytes, min(b.at_ms) AS first_at, max(b.at_ms) AS last_at
      FROM ${s}.batches b JOIN ${s}.conversations c ON c.tenant = $1 AND c.key = b.conversation
      WHERE ${GUARD} AND b.tenant = $1 GROUP BY c.key, c.name ORDER BY max(b.appended_at) DESC`,

    delete: `WITH gone AS (DELETE FROM ${s}.conversations WHERE ${GUARD} AND tenant = $1 AND key = $2)
      SELECT ${summed} FROM ${s}.batches b WHERE ${GUARD} AND b.tenant = $1 AND b.conversation = $2`,

    deleteExpired: `WITH gone AS (DELETE FROM ${s}.conversations
        WHERE ${GUARD} AND tenant = $1 AND expires_at <= clock_timestamp() RETURNING key)
      SELECT count(*)::float8 AS conversations FROM gone`,

    /** Which batches aren't as they were stored; $2 the most that are named. */
    integrity: `SELECT b.key FROM ${s}.batches b WHERE ${GUARD} AND b.tenant = $1 AND NOT EXISTS (SELECT FROM (
        SELECT count(*) AS messages, encode(sha256(convert_to(coalesce(string_agg(m.json, E'\\n' ORDER BY m.position), ''), 'UTF8')), 'hex') AS digest
        FROM ${s}.messages m WHERE m.tenant = $1 AND m.conversation = b.conversation AND m.batch = b.key
      ) kept WHERE kept.messages = b.messages AND kept.digest = b.digest)
      ORDER BY b.key LIMIT $2::bigint`,

    acquire: `WITH ${NOW} SELECT ${state('c')} FROM now LEFT JOIN ${s}.conversations c ON c.tenant = $1 AND c.key = $2 WHERE ${GUARD}`,

    /** $5 the owner, $6 for how many ms. */
    lease: `WITH ${NOW},
      taken AS (INSERT INTO ${s}.conversations AS c (tenant, key, name, fence, owner, lease_ends_at, expires_at)
        SELECT $1, $2, $3, 1, $5, now.at + ${interval('$6')}, ${expiry('now.at')} FROM now
        ON CONFLICT (tenant, key) DO UPDATE SET owner = $5,
          fence = c.fence + CASE WHEN c.owner = $5 AND c.lease_ends_at > clock_timestamp() THEN 0 ELSE 1 END,
          lease_ends_at = clock_timestamp() + ${interval('$6')}, expires_at = excluded.expires_at
        WHERE c.owner IS NULL OR c.owner = $5 OR c.lease_ends_at <= clock_timestamp()
        RETURNING c.version, c.fence, c.snapshot, c.snapshot_version)
      SELECT ${state('taken')} FROM taken, now`,

    /** $7 version, $8 fence, $9 the text. With batches also $5 and $6. */
    commit: (
      /** @type {{ isWhole: boolean, batches: boolean }} */ { isWhole, batches },
    ) => `WITH ${NOW}, ${batches ? `${there},` : ''}
      gate AS (INSERT INTO ${s}.conversations AS c (tenant, key, name, version, snapshot, snapshot_version, expires_at)
        SELECT $1, $2, $3, $7::bigint + 1, $9::text, $7::bigint + 1, ${expiry('now.at')} FROM now
        WHERE (($7::bigint = 0 AND $8::bigint = 0)
          OR EXISTS (SELECT FROM ${s}.conversations x WHERE ${GUARD} AND x.tenant = $1 AND x.key = $2))
          ${batches ? `AND ${isFree}` : `AND ($5::json, $6::json) IS NULL`}
        ON CONFLICT (tenant, key) DO UPDATE SET version = excluded.version, expires_at = excluded.expires_at
          ${isWhole ? ', snapshot = excluded.snapshot, snapshot_version = excluded.version' : ''}
        WHERE c.version = $7::bigint AND c.fence = $8::bigint RETURNING c.version),
      ${batches ? `${added},` : ''}
      ${isWhole ? `gone AS (DELETE FROM ${s}.deltas WHERE ${GUARD} AND ${ofConversation} AND EXISTS (SELECT FROM gate))` : `next AS (INSERT INTO ${s}.deltas (tenant, conversation, version, text) SELECT $1, $2, gate.version, $9::text FROM gate)`}
      SELECT gate.version::float8, ${ms('now.at')} AS now_ms FROM gate, now`,

    /** What the present version was made with; $3 version, $4 fence, $5 the text, $6 whether it is all of the state. */
    present: `WITH ${NOW} SELECT c.version = $3::bigint AND c.fence = $4::bigint AS is_present, ${ms('now.at')} AS now_ms,
        c.version = $3::bigint + 1 AND CASE WHEN $6::boolean THEN c.snapshot_version = c.version AND c.snapshot = $5::text
          ELSE EXISTS (SELECT FROM ${s}.deltas d WHERE d.tenant = $1 AND d.conversation = $2 AND d.version = c.version
            AND d.text = $5::text) END AS is_repeated
      FROM now, ${s}.conversations c WHERE ${GUARD} AND c.tenant = $1 AND c.key = $2`,

    release: `UPDATE ${s}.conversations SET owner = NULL, lease_ends_at = NULL
      WHERE ${GUARD} AND tenant = $1 AND key = $2 AND fence = $3::bigint`,
  };
}

module.exports = { statements };
