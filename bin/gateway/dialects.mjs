// @ts-check
/** The APIs whose requests the gateway rewrites; each has its own dialect of messages. */

/**
 * `name`: the messages' dialect, as `ContextView` names it; `path`: matches the path of a model request; `prefixFields`: tools and
 * system prompt, in the order in which the provider caches them before the messages; `storageFields`: each refers, if set, to
 * messages that the provider stores and the request lacks; `usageIn`: the usage in a response, or in one event of a stream.
 * @typedef {{ name: string, path: RegExp, messagesField: string, prefixFields: readonly string[],
 *   storageFields: readonly string[], usageIn: (event: any) => any }} Dialect
 */

/** @type {readonly Dialect[]} */ const DIALECTS = [
  {
    name: 'anthropic',
    path: /\/v1\/messages$/,
    messagesField: 'messages',
    prefixFields: ['tools', 'system'],
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

/** @param {string | undefined} method @param {string} path with the query @returns {Dialect | undefined} */
export function dialectOf(method, path) {
  const [pathname = ''] = path.split('?');
  return method === 'POST' ? DIALECTS.find((dialect) => dialect.path.test(pathname)) : undefined;
}

/** True if the request lacks messages. @param {Dialect} dialect @param {Record<string, unknown>} fields */
export function isStoredByProvider({ storageFields }, fields) {
  return storageFields.some((name) => (fields[name] ?? false) !== false);
}
