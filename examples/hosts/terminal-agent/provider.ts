import type { ChatMessage } from './chatMessage.js';

/** Sends what a provider's format knows of each message, and throws what the provider says against it. */
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
