// @ts-check
/** Import this before an agent's program: its clock then advances with each request. */
import { subscribe } from 'node:diagnostics_channel';
import { startRequestClock } from './request-clock.mjs';

const tick = startRequestClock();
// Agents ship their own `fetch`, but all of them report responses on these channels.
if (tick !== undefined)
  for (const channel of ['undici:request:headers', 'http.client.response.finish']) subscribe(channel, tick);
