/** A session of pi's as a tree of entries, as far as it is used here. */
export interface PiSession {
  getSessionId(): string;
  getLeafId(): string | null;
  getEntry(id: string): { type: string; parentId: string | null; customType?: string; data?: any } | undefined;
}

/** What pi gives to extensions, as far as it is used here. */
export interface PiContext {
  hasUI: boolean;
  model:
    | {
        id?: string;
        api?: string;
        provider?: string;
        contextWindow?: number;
        cost?: { input?: number; cacheRead?: number; cacheWrite?: number };
        promptCache?: { short?: number; long?: number };
      }
    | undefined;
  sessionManager: PiSession;
  ui: {
    notify(message: string, type?: 'info' | 'warning' | 'error'): void;
    setStatus(key: string, text: string | undefined): void;
  };
  getSystemPrompt(): string;
}

/** What an extension is called with, as far as it is used here. */
export interface PiApi {
  on(
    event: 'context',
    handler: (event: { type: 'context'; messages: any[] }, context: PiContext) => Promise<{ messages: any[] }>,
  ): unknown;
  on(
    event: 'message_end',
    handler: (event: { type: 'message_end'; message: any }, context: PiContext) => { message: any } | undefined,
  ): unknown;
  on(event: 'session_start', handler: (event: any, context: PiContext) => void): unknown;
  registerCommand(
    name: string,
    options: { description?: string; handler: (args: string, context: any) => Promise<void> },
  ): void;
  getActiveTools(): string[];
  appendEntry(customType: string, data?: unknown): void;
}

/**
 * An extension for pi: each request is sent as a `ContextView` of its session sends it, at the prices of the model in use. Pi's
 * messages stay as they are. What the view remembers is kept in entries of type `palimpsest` in the session's file, which pi sends to
 * nobody: a session that goes on in a new process, or at an earlier place, sends the same bytes.
 *
 * Settings are read from `palimpsest.json` in pi's agent folder and from the environment; what is misspelt there switches the
 * extension off and is said. Nothing that fails here reaches pi: the request then goes out as the last one did, with what is new.
 */
export function palimpsest(pi: PiApi, environment?: Record<string, string | undefined>): void;
