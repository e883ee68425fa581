import { type OpencodeHooks, type OpencodeInput, palimpsest } from 'palimpsest/opencode';

declare const input: OpencodeInput;
const hooks: Promise<OpencodeHooks> = palimpsest(input);
palimpsest(input, { price: 'openai' }, { PALIMPSEST: 'off', XDG_STATE_HOME: undefined });
// @ts-expect-error the input of the plug-in is required
palimpsest();
// @ts-expect-error values of the environment are strings
palimpsest(input, {}, { PALIMPSEST: false });
hooks.then(async (filled) => {
  await filled['experimental.chat.messages.transform']?.({}, { messages: [] });
});
