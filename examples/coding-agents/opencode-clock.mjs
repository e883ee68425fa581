// @ts-check
/** An opencode plug-in that is loaded before all others: the clock advances with each request. */
import { startRequestClock } from './request-clock.mjs';

export default {
  id: 'clock',
  server: async () => {
    const tick = startRequestClock();
    return tick === undefined ? {} : { 'chat.headers': async () => tick() };
  },
};
