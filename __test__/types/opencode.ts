import { type OpencodeHooks, type OpencodeInput, palimpsest } from 'palimpsest/opencode';

declare const input: OpencodeInput;
const hooks: Promise<OpencodeHooks> = palimpsest(input);
palimpsest(input, { price: 'openai' }, { PALIMPSEST: 'off', XDG_STATE_HOME: undefined });
// @ts-expect-error what opencode calls a plug-in with
palimpsest();
// @ts-expect-error an environment's values are texts
palimpsest(input, {}, { PALIMPSEST: false });
hooks.then(async (filled) => {
  await filled['experimental.chat.messages.transform']?.({}, { messages: [] });
});
