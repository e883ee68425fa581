// @ts-check
/** Recorded chats as neutral sessions, which can be converted to every dialect. */

/** @param {unknown} content @returns {string[]} */
const textsOf = (content) => {
  const parts = Array.isArray(content) ? content.map((part) => part?.text) : [content];
  return parts.filter((text) => typeof text === 'string' && text.trim() !== '');
};

/** @param {any} call */
function inputOf(call) {
  try {
    const input = JSON.parse(call.function.arguments);
    return input !== null && typeof input === 'object' && !Array.isArray(input) ? input : { input };
  } catch {
    return { input: String(call.function?.arguments) };
  }
}

/**
 * Leaves out calls without a result, and messages that are empty afterwards.
 * @param {readonly any[]} messages
 * @returns {import('./neutral-sessions.mjs').NeutralSession}
 */
export function neutralFrom(messages) {
  /** @type {import('./neutral-sessions.mjs').NeutralSession['steps']} */
  const steps = [];
  messages.forEach((message, index) => {
    const texts = textsOf(message.content);
    const last = steps.at(-1);
    if (message.role === 'user' && texts.length > 0) {
      if (last?.kind === 'user') last.texts.push(...texts);
      else steps.push({ kind: 'user', texts });
    }
    if (message.role !== 'assistant' || last === undefined) return;
    const place = steps.length;
    const time = message.timestamp ?? place;
    const calls = (message.tool_calls ?? []).flatMap((/** @type {any} */ call, /** @type {number} */ at) => {
      const result = messages.find(
        (other, later) => later > index && other.role === 'tool' && other.tool_call_id === call.id,
      );
      if (result === undefined) return [];
      const outputs = textsOf(result.content);
      const outcome = {
        texts: outputs.length > 0 ? outputs : ['(nothing)'],
        image: null,
        isFailed: result.messageStatus === 'error',
      };
      return [
        { key: `${place}.${at}`, id: `call_${place}_${at}`, name: call.function.name, input: inputOf(call), outcome },
      ];
    });
    if (texts.length + calls.length > 0) steps.push({ kind: 'assistant', place, reasoning: null, texts, calls, time });
  });
  return { system: 'You are an agent.', steps, isPending: false, end: 0 };
}
