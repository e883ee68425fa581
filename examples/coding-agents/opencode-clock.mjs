// @ts-check
/** A plug-in of opencode's, loaded ahead of all others: the clock goes by its requests. */
import { startRequestClock } from './request-clock.mjs';

export default {
  id: 'clock',
  server: async () => {
    const tick = startRequestClock();
    return tick === undefined ? {} : { 'chat.headers': async () => tick() };
  },
};
