// @ts-check
import { chat } from './model-router.mjs';

/** @typedef {{ toolCallId: string, success: boolean, output?: string, error?: string, metadata?: Record<string, unknown> }} ToolResult */
/** @typedef {{ id: string, role: 'system' | 'user' | 'assistant' | 'tool', content: string, timestamp: number, toolResults?: ToolResult[] }} Message */

export class AgentLoop {
  /** @type {Message[]} */
  messages = [];

  /** @param {string} url @param {(event: { type: string, data: any }) => void} onEvent sends to the renderer */
  constructor(url, onEvent) {
    this.url = url;
    this.onEvent = onEvent;
  }

  /** @param {Message['role']} role @param {string} content @param {Partial<Message>} [more] */
  add(role, content, more) {
    this.messages.push({ id: `m${this.messages.length}`, role, content, timestamp: Date.now(), ...more });
  }

  /** Calls the model once and runs the tools that it calls. @param {(call: any) => ToolResult} runTool */
  async step(runTool) {
    try {
      const answer = await chat(this.url, this.buildModelMessages());
      this.add('assistant', answer.content);
      const toolResults = (answer.tool_calls ?? []).map(runTool);
      for (const result of toolResults) this.onEvent({ type: 'tool_call_end', data: result });
      if (toolResults.length > 0) this.add('tool', JSON.stringify(toolResults), { toolResults });
      return toolResults.length > 0;
    } catch (error) {
      this.onEvent({ type: 'error', data: { message: String(error) } });
      return false;
    }
  }

  buildModelMessages() {
    return this.messages.map(({ role, content }) => {
      if (role !== 'tool') return { role, content };
      return { role: 'user', content: `Tool results:\n${content}` };
    });
  }
}
