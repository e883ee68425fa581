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
  signal: AbortSignal | undefined;
  sessionManager: { getSessionId(): string };
  ui: {
    notify(message: string, type?: 'info' | 'warning' | 'error'): void;
    setStatus(key: string, text: string | undefined): void;
  };
  getSystemPrompt(): string;
}

/** What an extension is called with, as far as it is used here. */
export interface PiApi {
  on(event: 'context', handler: (event: { type: 'context'; messages: any[] }, context: PiContext) => Promise<{ messages: any[] }>): unknown;
  on(event: 'message_end' | 'session_start', handler: (event: any, context: PiContext) => void): unknown;
  registerCommand(
    name: string,
    options: { description?: string; handler: (args: string, context: any) => Promise<void> },
  ): void;
  getActiveTools(): string[];
}

/**
 * An extension for pi: each request is sent as a `ContextView` of its session sends it, at the prices of the model in use. Pi's
 * messages and session files stay as they are; a session that goes on in a new process sends the same bytes.
 *
 * Settings are read from `palimpsest.json` in pi's agent folder and from the environment; what is misspelt there switches the
 * extension off and is said. Nothing that fails here reaches pi: the request then goes out as the last one did, with what is new.
 */
export function palimpsest(pi: PiApi, environment?: Record<string, string | undefined>): void;

