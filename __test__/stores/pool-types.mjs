// @ts-check
/** Compiled, never run: a store accepts a pool and a client of `pg` with its own declarations. */
import { PostgresStore } from 'palimpsest/postgres';
import pg from 'pg';

export const stores = [
  new PostgresStore({ pool: new pg.Pool(), tenant: 't' }),
  new PostgresStore({ pool: new pg.Client(), tenant: 't' }),
];
