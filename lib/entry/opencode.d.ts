/** A message of opencode's, as far as it is used here. */
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

/** A model of opencode's catalog, as far as it is used here. */
export interface OpencodeModel {
  id: string;
  api?: { npm?: string };
  cost?: { input?: number; cache?: { read?: number; write?: number } };
  limit?: { context?: number; input?: number; output?: number };
}

/** What a user has configured, as far as it is used here. */
export interface OpencodeConfig {
  compaction?: { auto?: boolean; reserved?: number };
  command?: Record<string, { template: string; description?: string }>;
}

/** What opencode tells of, as far as it is used here. */
export interface OpencodeEvent {
  type: string;
  properties: any;
}

/** opencode's own interface, as far as it is used here. */
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

/** What a plug-in is called with, as far as it is used here. */
export interface OpencodeInput {
  client: OpencodeClient;
}

/** The hooks that are filled. */
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
 * A plug-in for opencode: each request is sent as a `ContextView` of its session sends it, at the prices of the model in use. What
 * opencode stores stays as it is. What the views remember is kept in `opencode/palimpsest` of the user's state folder
 * (`$XDG_STATE_HOME`, else `~/.local/state`), a file for each session, which goes with it: a session that goes on in a new process sends
 * the same bytes.
 *
 * Settings are the plug-in's options in `opencode.json`, and above them the environment; what is misspelt there switches it off and is
 * said. Nothing that fails here reaches opencode: the request then goes out as the last one did, with what is new.
 */
export function palimpsest(
  input: OpencodeInput,
  options?: Record<string, unknown>,
  environment?: Record<string, string | undefined>,
): Promise<OpencodeHooks>;
