import type { ChatMessage } from './chatMessage.js';

/** Sends only the message fields of the provider's format, and throws the provider's error. */
export async function chat(url: string, messages: ChatMessage[]): Promise<ChatMessage> {
  const sent = messages.map(({ role, content, tool_calls, tool_call_id }) => ({
    role,
    content,
    ...(tool_calls && { tool_calls }),
    ...(tool_call_id && { tool_call_id }),
  }));
  const body = JSON.stringify({ model: 'agent-large', messages: sent });
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', body });
  const answer = (await response.json()) as { choices?: [{ message: ChatMessage }]; error?: { message: string } };
  if (answer.choices === undefined) throw new Error(answer.error?.message ?? `HTTP ${response.status}`);
  return answer.choices[0].message;
}
