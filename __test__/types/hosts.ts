/** Message types of applications, which the package does not declare. */

/** A terminal agent's. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  timestamp?: number;
  messageStatus?: 'pending' | 'success' | 'error';
  tool_call_id?: string;
  tool_calls?: ToolCall[];
  images?: { type: 'image'; data: string; mimeType: string }[];
  subAgentInternal?: boolean;
  editorContext?: { workspaceFolder?: string; activeFile?: string; selection?: { text: string; line: number } };
  reasoning?: { summary?: { type: 'summary_text'; text: string }[]; content?: unknown; encrypted_content?: string };
  thinking?: { type: 'thinking'; thinking: string; signature?: string };
  reasoning_content?: string;
}

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** An Electron agent's: no tool calls, results as JSON in the content and as objects in `toolResults`. */
export interface Message {
  id: string;
  role: 'user' | 'assistant' | 'system' | 'tool';
  content: string;
  timestamp: number;
  toolResults?: ToolResult[];
}

export interface ToolResult {
  toolCallId: string;
  success: boolean;
  output?: string;
  error?: string;
  outputPath?: string;
  duration?: number;
  metadata?: Record<string, unknown>;
}

/** Fields that may be `undefined`, as in generated code: with exactOptionalPropertyTypes that differs from `field?: string`. */
export interface SpelledOutMessage {
  role: string;
  content?: string | undefined;
  timestamp?: number | undefined;
  messageStatus?: string | undefined;
  tool_call_id?: string | undefined;
  tool_calls?: readonly SpelledOutToolCall[] | undefined;
}

export interface SpelledOutToolCall {
  id?: string | undefined;
  function?: { name?: string | undefined; arguments?: string | undefined } | undefined;
}

/** A provider's own request type: one type per role, content as parts, tool calls of two kinds. */
export type RequestMessage =
  | { role: 'developer' | 'system' | 'user'; content: string | Part[]; name?: string }
  | { role: 'assistant'; content?: string | Part[] | null; tool_calls?: RequestToolCall[]; refusal?: string | null }
  | { role: 'tool'; content: string | Part[]; tool_call_id: string };

export type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export type RequestToolCall =
  | { id: string; type: 'function'; function: { name: string; arguments: string } }
  | { id: string; type: 'custom'; custom: { name: string; input: string } };

/** Instances of a class with a method and a private field. */
export class StoredMessage {
  #saved = false;
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly timestamp: number;

  constructor(role: 'user' | 'assistant' | 'tool', content: string, timestamp: number) {
    this.role = role;
    this.content = content;
    this.timestamp = timestamp;
  }

  save(): boolean {
    this.#saved = true;
    return this.#saved;
  }
}
