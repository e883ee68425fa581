/** The part of a pi session, a tree of entries, that is used. */
export interface PiSession {
  getSessionId(): string;
  getLeafId(): string | null;
  getEntry(id: string): { type: string; parentId: string | null; customType?: string; data?: any } | undefined;
}

/** The part of pi's context for extensions that is used. */
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

/** The part of pi's interface for extensions that is used. */
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
 * An extension for pi that sends each request as a `ContextView` of its session projects it, at the prices of the model in use. pi's messages stay
 * unchanged. The last request's replacements are kept in entries of type `palimpsest` in the session's file, which pi never sends. A session
 * continued in another process, or from an earlier entry, sends the same bytes.
 *
 * Settings are read from `palimpsest.json` in pi's agent folder and from the environment. An invalid setting turns the extension off, with a
 * message. A failure never reaches pi: the request is then sent as the previous one was, plus what is new.
 */
export function palimpsest(pi: PiApi, environment?: Record<string, string | undefined>): void;
