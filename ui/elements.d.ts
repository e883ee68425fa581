/**
 * `palimpsest/elements`: importing it defines the custom elements. It runs in browsers (Chromium 123, Firefox 120, Safari 17.5
 * or newer), asks for no network and no framework, and works under `default-src 'none'; script-src 'self'; style-src 'self'`.
 */

/** `light`, `dark`, or `auto` for what the system prefers; without it the page's `color-scheme` holds. */
export type ElementTheme = 'light' | 'dark' | 'auto';

interface PalimpsestElement extends HTMLElement {
  /** Resolves when what was changed before can be seen. */
  readonly updateComplete: Promise<void>;
}

/** An event of `runWithProgress`, or the like of it; `progress` in percent, null where nobody knows. */
export interface ToolProgressEvent {
  tool?: string;
  stage?: string;
  message?: string;
  progress?: number | null;
}

/**
 * `<tool-progress>`: how far a tool is. Attributes: `value` (percent), `message`, `label`, `theme`, `lang`. Without a value the bar
 * says that nobody knows. Parts: `track`, `bar`, `message`, `elapsed`.
 */
export declare class ToolProgress extends HTMLElement implements PalimpsestElement {
  readonly updateComplete: Promise<void>;
  /** The newest event; fields that it leaves out stay as they were. Its stage `complete` stops the clock. */
  event: ToolProgressEvent;
  /** When the work began, ms since 1970; of itself the time of the first event. */
  startedAt: number | undefined;
}

/** The elements by name; `HTMLElementTagNameMap` has them, and so may a framework's JSX. */
export interface PalimpsestElements {
  'tool-progress': ToolProgress;
}

declare global {
  interface HTMLElementTagNameMap extends PalimpsestElements {}
}
