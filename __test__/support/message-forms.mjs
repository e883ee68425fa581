// @ts-check
/** One conversation in the forms in which agents store it, written by hand according to their SDKs' types. */

/** @typedef {any} Message */

/** @type {Record<string, (call: Message) => Message>} */
const CALLS = {
  flat: ({ id, function: { name, arguments: text } }) => ({ id, name, arguments: text }),
  nested: (call) => call,
  parsed: ({ id, function: { name, arguments: text } }) => ({ id, name, arguments: parsed(text) }),
  sdk: ({ id, function: { name, arguments: text } }) => ({ toolCallId: id, toolName: name, args: parsed(text) }),
  input: ({ id, function: { name, arguments: text } }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: text,
  }),
};
export const SPELLINGS = Object.keys(CALLS);

/** @param {unknown} text */
function parsed(text) {
  try {
    const value = JSON.parse(String(text));
    // Parse it only if JSON serialises it to the same text again.
    return value !== null && typeof value === 'object' && JSON.stringify(value) === text ? value : text;
  } catch {
    return text;
  }
}

/**
 * @param {Message} message in OpenAI's form @param {string} spelling name of the field with calls
 * @returns {Message} in camelCase
 */
export function camelCase(message, spelling) {
  if (message === null || typeof message !== 'object') return message;
  const { tool_calls: calls, tool_call_id: id, ...rest } = message;
  const respelt = (/** @type {any} */ call) =>
    call !== null && typeof call?.function === 'object' && call.function !== null ? CALLS[spelling]?.(call) : call;
  return {
    ...rest,
    ...(calls !== undefined && { toolCalls: Array.isArray(calls) ? calls.map(respelt) : calls }),
    ...('tool_call_id' in message && { toolCallId: id }),
  };
}

const OUTPUT = 'src/server.ts:12: the port is read from the environment, else it is 8443\n'.repeat(40);

/** A system prompt, a question, and `steps` calls with their results. @param {number} steps @returns {Message[]} */
export function openAiChat(steps) {
  const messages = [
    { role: 'system', content: 'You are an agent.' },
    { role: 'user', content: 'Where is the port set?' },
  ];
  for (let step = 0; step < steps; step++) {
    const call = {
      id: `call_${step}`,
      type: 'function',
      function: { name: 'grep', arguments: `{"pattern":"port ${step}"}` },
    };
    messages.push(
      /** @type {any} */ ({ role: 'assistant', content: `Step ${step}.`, tool_calls: [call] }),
      /** @type {any} */ ({ role: 'tool', tool_call_id: call.id, content: `${step}: ${OUTPUT}` }),
    );
  }
  return messages;
}

/**
 * The same in another form; `text` and `turn` create the SDK's messages.
 * @param {number} steps
 * @param {{ text: (role: string, text: string) => Message, turn: (step: { id: string, text: string, input: object, output: string }) => Message[] }} form
 */
function inForm(steps, { text, turn }) {
  const messages = [text('system', 'You are an agent.'), text('user', 'Where is the port set?')];
  for (let step = 0; step < steps; step++) {
    const input = { pattern: `port ${step}` };
    messages.push(...turn({ id: `call_${step}`, text: `Step ${step}.`, input, output: `${step}: ${OUTPUT}` }));
  }
  return messages;
}

const plain = (/** @type {string} */ role, /** @type {string} */ text) => ({ role, content: text });

/** The conversation by form. All are read except the assistant messages of `ui`. @param {number} steps */
export const foreignForms = (steps) => ({
  'ai-sdk': inForm(steps, {
    text: plain,
    turn: ({ id, text, input, output }) => [
      {
        role: 'assistant',
        content: [
          { type: 'text', text },
          { type: 'tool-call', toolCallId: id, toolName: 'grep', input },
        ],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: id, toolName: 'grep', output: { type: 'text', value: output } }],
      },
    ],
  }),
  gemini: inForm(steps, {
    text: (role, text) => ({ role: role === 'system' ? 'user' : role, parts: [{ text }] }),
    turn: ({ text, input, output }) => [
      { role: 'model', parts: [{ text }, { functionCall: { name: 'grep', args: input } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'grep', response: { output } } }] },
    ],
  }),
  'openai-responses': inForm(steps, {
    text: plain,
    turn: ({ id, text, input, output }) => [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
      { type: 'function_call', call_id: id, name: 'grep', arguments: JSON.stringify(input) },
      { type: 'function_call_output', call_id: id, output },
    ],
  }),
  'openai-agents': inForm(steps, {
    text: plain,
    turn: ({ id, text, input, output }) => [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
      { type: 'function_call', callId: id, name: 'grep', arguments: JSON.stringify(input) },
      { type: 'function_call_result', callId: id, name: 'grep', output: { type: 'text', text: output } },
    ],
  }),
  pi: inForm(steps, {
    text: plain,
    turn: ({ id, text, input, output }) => [
      {
        role: 'assistant',
        content: [
          { type: 'text', text },
          { type: 'toolCall', id, name: 'grep', arguments: input },
        ],
      },
      {
        role: 'toolResult',
        toolCallId: id,
        toolName: 'grep',
        content: [{ type: 'text', text: output }],
        isError: false,
      },
    ],
  }),
  ui: inForm(steps, {
    text: plain,
    turn: ({ id, text, input, output }) => [
      {
        id: `m_${id}`,
        role: 'assistant',
        parts: [
          { type: 'text', text },
          { type: 'tool-grep', toolCallId: id, state: 'output-available', input, output },
        ],
      },
    ],
  }),
  bedrock: inForm(steps, {
    text: (role, text) => ({ role, content: [{ text }] }),
    turn: ({ id, text, input, output }) => [
      { role: 'assistant', content: [{ text }, { toolUse: { toolUseId: id, name: 'grep', input } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: id, content: [{ text: output }] } }] },
    ],
  }),
});

/** The conversation in Anthropic's blocks. @param {number} steps */
export const anthropic = (steps) =>
  inForm(steps, {
    text: plain,
    turn: ({ id, text, input, output }) => [
      {
        role: 'assistant',
        content: [
          { type: 'text', text },
          { type: 'tool_use', id, name: 'grep', input },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output }] },
    ],
  });
