// @ts-check
/** An opencode plug-in that is loaded before ours. At every third request ours finds a user message that it can't read, and fails. */
let calls = Number(process.env.REQUESTS ?? 0);

export default {
  id: 'failing',
  server: async () => ({
    /** @param {object} _ @param {{ messages: any[] }} output */
    'experimental.chat.messages.transform': async (_, { messages }) => {
      if (++calls % 3 > 0) return;
      const last = messages.findLast(({ info }) => info.role === 'user');
      if (last === undefined) return;
      const { model } = last.info;
      let isRead = false;
      // Fails only on the next read, which is by our plug-in; opencode itself must read the original value.
      Object.defineProperty(last.info, 'model', {
        configurable: true,
        enumerable: true,
        get() {
          if (isRead) return model;
          isRead = true;
          throw new Error('every third call fails');
        },
      });
    },
  }),
};
