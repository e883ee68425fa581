// @ts-check
/** A plug-in of opencode's, loaded ahead of ours: at every third request ours finds a message of the user's that it can't read, and fails. */
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
      // Who reads it next is our plug-in; opencode itself is to find it as it was.
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
