// @ts-check
'use strict';

const { readId, readPlain } = require('../archive/stored-form.js');
const { outOfRange } = require('../errors.js');

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

/** Each step may be run again. @param {string} schema as a quoted identifier */
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

module.exports = { migrations, readSchema };
