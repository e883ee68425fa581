/** A message as the terminal agent stores it. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  timestamp?: number;
  messageStatus?: 'pending' | 'success' | 'error';
  tool_call_id?: string;
  tool_calls?: ToolCall[];
  editorContext?: { activeFile?: string };
}

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}
