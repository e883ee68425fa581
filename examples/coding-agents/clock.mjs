// @ts-check
/** Imported before an agent's program: its clock begins at `START_MS`, and each request takes so long as in real work. */
import { subscribe } from 'node:diagnostics_channel';

export const REQUEST_MS = 20_000;

let requests = 0;
const startMs = Number(process.env.START_MS);

if (Number.isFinite(startMs)) {
  const RealDate = Date;
  const now = () => startMs + requests * REQUEST_MS;
  globalThis.Date = /** @type {any} */ (
    class extends RealDate {
      /** @param {any[]} given */
      constructor(...given) {
        if (given.length === 0) super(now());
        else super(.../** @type {[any]} */ (given));
      }
      /** @override */
      static now = now;
    }
  );
  // Agents bring a `fetch` of their own; all of them tell here what was answered.
  for (const channel of ['undici:request:headers', 'http.client.response.finish']) subscribe(channel, () => requests++);
}
