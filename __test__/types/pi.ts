import { type PiApi, type PiContext, type PiSession, palimpsest } from 'palimpsest/pi';

declare const pi: PiApi;
palimpsest(pi);
palimpsest(pi, { PALIMPSEST: 'off', PI_CODING_AGENT_DIR: undefined });
// @ts-expect-error the API of pi is required
palimpsest();
// @ts-expect-error values of the environment are strings
palimpsest(pi, { PALIMPSEST: false });
pi.on('context', async ({ messages }, { sessionManager }: PiContext) => {
  const session: PiSession = sessionManager;
  session.getEntry('id')?.parentId?.toUpperCase();
  return { messages };
});
