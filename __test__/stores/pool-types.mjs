// @ts-check
/** Compiled, never run: that a pool and a client of `pg`, with its own declarations, are what a store takes. */
import { PostgresStore } from 'palimpsest/postgres';
import pg from 'pg';

export const stores = [
  new PostgresStore({ pool: new pg.Pool(), tenant: 't' }),
  new PostgresStore({ pool: new pg.Client(), tenant: 't' }),
];
