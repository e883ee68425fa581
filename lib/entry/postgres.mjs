import postgres from './postgres.js';

export const { PostgresStore } = postgres;
