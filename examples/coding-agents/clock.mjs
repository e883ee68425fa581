// @ts-check
/** Imported before an agent's program: its clock goes by its requests. */
import { subscribe } from 'node:diagnostics_channel';
import { startRequestClock } from './request-clock.mjs';

const tick = startRequestClock();
// Agents bring a `fetch` of their own; all of them tell here what was answered.
if (tick !== undefined)
  for (const channel of ['undici:request:headers', 'http.client.response.finish']) subscribe(channel, tick);
