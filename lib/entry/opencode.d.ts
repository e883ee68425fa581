/** The part of opencode's message that is used. */
export interface OpencodeMessage {
  info: {
    id: string;
    sessionID: string;
    role: string;
    finish?: string;
    summary?: unknown;
    model?: { providerID: string; modelID: string };
    tokens?: { total?: number; input?: number; output?: number; cache?: { read?: number; write?: number } };
  };
  parts: any[];
}

/** The part of a model in opencode's catalog that is used. */
export interface OpencodeModel {
  id: string;
  api?: { npm?: string };
  cost?: { input?: number; cache?: { read?: number; write?: number } };
  limit?: { context?: number; input?: number; output?: number };
}

/** The part of the user's configuration that is used. */
export interface OpencodeConfig {
  compaction?: { auto?: boolean; reserved?: number };
  command?: Record<string, { template: string; description?: string }>;
}

/** The part of opencode's events that is used. */
export interface OpencodeEvent {
  type: string;
  properties: any;
}

/** The part of opencode's client that is used. */
export interface OpencodeClient {
  config: {
    providers(): PromiseLike<{
      data?: { providers: { id: string; models: Record<string, OpencodeModel> }[] } | undefined;
    }>;
  };
  session: {
    summarize(options: {
      path: { id: string };
      body: { providerID: string; modelID: string };
    }): PromiseLike<{ error?: unknown }>;
  };
  tui: {
    showToast(options: {
      body: { message: string; variant: 'info' | 'success' | 'warning' | 'error'; duration?: number };
    }): PromiseLike<unknown>;
  };
}

/** The part of a plug-in's argument that is used. */
export interface OpencodeInput {
  client: OpencodeClient;
}

/** The hooks that the plug-in implements. */
export interface OpencodeHooks {
  config?: (config: any) => Promise<void>;
  event?: (given: { event: any }) => Promise<void>;
  'chat.message'?: (given: any, output: any) => Promise<void>;
  'command.execute.before'?: (
    given: { command: string; sessionID: string; arguments: string },
    output: any,
  ) => Promise<void>;
  'experimental.session.compacting'?: (given: { sessionID: string }, output: any) => Promise<void>;
  'experimental.chat.messages.transform'?: (given: object, output: { messages: any[] }) => Promise<void>;
  'experimental.text.complete'?: (
    given: { sessionID: string; messageID: string; partID: string },
    output: { text: string },
  ) => Promise<void>;
  'tool.execute.before'?: (
    given: { tool: string; sessionID: string; callID: string },
    output: { args: any },
  ) => Promise<void>;
}

/**
 * A plug-in for opencode that sends each request as a `ContextView` of its session projects it, at the prices of the model in use. opencode's
 * stored messages stay unchanged. The last request's replacements are kept in `opencode/palimpsest` in the user's state folder (`$XDG_STATE_HOME`,
 * else `~/.local/state`), one file per session, deleted with the session. A session continued in another process sends the same bytes.
 *
 * Settings are the plug-in's options in `opencode.json`; environment variables override them. An invalid setting turns the plug-in off, with a
 * message. A failure never reaches opencode: the request is then sent as the previous one was, plus what is new.
 */
export function palimpsest(
  input: OpencodeInput,
  options?: Record<string, unknown>,
  environment?: Record<string, string | undefined>,
): Promise<OpencodeHooks>;
