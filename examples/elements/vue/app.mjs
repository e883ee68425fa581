// @ts-check
/** Vue with render functions: templates that are compiled in the page need a looser Content-Security-Policy. */
import 'palimpsest/elements';
import { createApp, h, ref, shallowRef } from 'vue';

const limit = { message: 'The conversation is too long.', requestedTokens: 180_000, maxTokens: 131_072 };

createApp({
  setup() {
    // Shallow, because proxies for a thousand messages would be slow and useless.
    const messages = shallowRef([]);
    const picture = shallowRef(null);
    const place = shallowRef({});
    const heard = ref('');
    const dialog = ref();
    const read = async (/** @type {string} */ path) => (await fetch(path)).json();
    read('/session.json').then((session) => {
      messages.value = session;
    });
    read('/picture.json').then((given) => {
      picture.value = given;
    });
    const opened = (/** @type {CustomEvent} */ { detail }) => {
      heard.value = `Opened level ${detail.level}: ${detail.originalCount} messages`;
    };
    return () => [
      h('h1', 'Vue'),
      h('button', { id: 'too-long', onClick: () => dialog.value.show(limit) }, 'Ask for too much'),
      h('compression-history', { messages: messages.value, onPointExpand: opened }),
      h('context-chart', {
        picture: picture.value,
        onRequestChange: (/** @type {CustomEvent} */ { detail }) => {
          place.value = detail;
        },
      }),
      h('context-map', { controls: 'none', picture: picture.value, ...place.value }),
      h('context-limit-dialog', {
        ref: dialog,
        onNewSession: () => {
          heard.value = 'A new session';
        },
      }),
      h('p', { id: 'heard' }, heard.value),
    ];
  },
}).mount('#app');
