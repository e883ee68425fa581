// @ts-check

/** So long each request of a recorded session takes, about. */
export const REQUEST_MS = 20_000;

/**
 * Sets this process's clock to `START_MS`, where that is given; from then on it goes by requests alone.
 * @returns {(() => void) | undefined} to be called with each request
 */
export function startRequestClock() {
  const startMs = Number(process.env.START_MS);
  if (!Number.isFinite(startMs)) return undefined;
  let requests = 0;
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
  return () => {
    requests++;
  };
}
