// @ts-check
/** A plug-in of opencode's, loaded ahead of all others: the clock begins at `START_MS`, and each request takes so long as in real work. */
import { REQUEST_MS } from './clock.mjs';

export default {
  id: 'clock',
  server: async () => {
    let requests = 0;
    const startMs = Number(process.env.START_MS);
    if (!Number.isFinite(startMs)) return {};
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
    return { 'chat.headers': async () => void requests++ };
  },
};
