// @ts-check
/** The APIs whose requests the gateway rewrites; each has its own dialect of messages. */

/**
 * @typedef {object} Api
 * @property {string} name the messages' dialect, as `ContextView` names it
 * @property {RegExp} path matches the path of a model request
 * @property {string} messagesField
 * @property {readonly string[]} prefixFields tools and system prompt, in the order in which the provider caches them
 * @property {readonly string[]} storageFields refer, if set, to messages that the provider stores and the request lacks
 * @property {(event: any) => any} usageIn the usage in a response, or in one event of a stream
 */

/** @type {readonly Api[]} */ const APIS = [
  {
    name: 'anthropic',
    path: /\/v1\/messages$/,
    messagesField: 'messages',
    prefixFields: ['tools', 'system'],
    // A beta field: the provider keeps the conversation, and requests have only its new messages.
    storageFields: ['thread'],
    usageIn: ({ usage, message }) => message?.usage ?? usage,
  },
  {
    name: 'openai-responses',
    path: /\/responses$/,
    messagesField: 'input',
    prefixFields: ['tools', 'instructions'],
    storageFields: ['previous_response_id', 'conversation'],
    usageIn: ({ usage, response }) => response?.usage ?? usage,
  },
  {
    name: 'openai-chat',
    path: /\/chat\/completions$/,
    messagesField: 'messages',
    prefixFields: ['tools', 'functions'],
    storageFields: [],
    usageIn: ({ usage }) => usage,
  },
  {
    name: 'gemini',
    path: /\/models\/[^/]+:(?:generateContent|streamGenerateContent)$/,
    messagesField: 'contents',
    prefixFields: ['tools', 'systemInstruction', 'system_instruction'],
    storageFields: ['cachedContent', 'cached_content'],
    usageIn: ({ usageMetadata }) => usageMetadata,
  },
];

/** @param {string | undefined} method @param {string} path with the query @returns {Api | undefined} */
export function apiOf(method, path) {
  const [pathname = ''] = path.split('?');
  return method === 'POST' ? APIS.find((api) => api.path.test(pathname)) : undefined;
}

/** True if the provider stores some of the messages. @param {Api} api @param {Record<string, unknown>} fields */
export function lacksMessages({ storageFields }, fields) {
  return storageFields.some((name) => (fields[name] ?? false) !== false);
}
