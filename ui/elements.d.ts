/**
 * `palimpsest/elements`: importing it defines the custom elements. It runs in browsers (Chromium 123, Firefox 120, Safari 17.5
 * or newer), asks for no network and no framework, and works under `default-src 'none'; script-src 'self'; style-src 'self'`.
 */

import type { PictureMessage, SessionPicture } from './picture.js';

export type * from './picture.js';

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

/** What `<context-map>` shows of a message that is opened: a message of the page's server, a text, or an object of any dialect. */
export interface LoadedMessage {
  stored: PictureMessage | string | object;
  /** What is sent in its place; left out, the cell's placeholder. */
  sent?: PictureMessage | string | object | null;
}

interface PictureElement extends PalimpsestElement {
  /** What is shown. What isn't a picture is refused in words, in the element. */
  picture: SessionPicture | null | undefined;
  /** A place in `picture.threads`; 0 of itself. */
  thread: number;
  /** A place in the thread's requests; -1 where there are none. Until it is set, and at the latest, it follows a session that grows. */
  get request(): number;
  set request(place: number | null);
}

/** The user has moved to another request or thread; the pages that show a map beside a chart set it there, too. */
export type RequestChangeEvent = CustomEvent<{ thread: number; request: number }>;

/** A cell was opened. `preventDefault` keeps the element's own panel closed. */
export type CellActivateEvent = CustomEvent<{ message: number; part: number | null; thread: number; request: number }>;

/**
 * `<context-map>`: what one request sends, a cell for each message, in order and as large as its tokens. Attributes: `context-window`,
 * `sizes`, `theme`, `lang`. Events: `request-change`, `cell-activate`. Parts: `base`, `slider`, `summary`, `map`, `reading`, `legend`,
 * `detail`, `detail-title`, `close`, `text`, `problem`.
 */
export declare class ContextMap extends HTMLElement implements PictureElement {
  readonly updateComplete: Promise<void>;
  picture: SessionPicture | null | undefined;
  thread: number;
  get request(): number;
  set request(place: number | null);
  /** Tokens of the model's window, where they are known; the map shows where it ends. */
  contextWindow: number | null;
  /** Cells as large as what is sent (of itself), or as what is stored: then what replacing saves can be seen. */
  sizes: 'sent' | 'stored';
  /** Gets a message when its cell is opened. Without it the panel says that the messages aren't here. */
  load: ((message: number, part: number | null) => LoadedMessage | Promise<LoadedMessage>) | null;
}

/**
 * `<context-chart>`: tokens of each request by kind, where the cache was lost, and what each policy costs. Attributes: `prices`, `costs`,
 * `theme`, `lang`. Event: `request-change`. Parts: `base`, `tokens`, `slider`, `reading`, `legend`, `marks`, `costs`, `policies`,
 * `table-toggle`, `table`, `problem`.
 */
export declare class ContextChart extends HTMLElement implements PictureElement {
  readonly updateComplete: Promise<void>;
  picture: SessionPicture | null | undefined;
  thread: number;
  get request(): number;
  set request(place: number | null);
  /** The list of prices that is chosen, by its name in the picture; the first of itself. */
  get prices(): string | null;
  set prices(name: string | null | undefined);
  /** Costs of each request (of itself), or summed up. */
  costs: 'each' | 'summed';
}

/** The elements by name; `HTMLElementTagNameMap` has them, and so may a framework's JSX. */
export interface PalimpsestElements {
  'context-chart': ContextChart;
  'context-map': ContextMap;
  'tool-progress': ToolProgress;
}

declare global {
  interface HTMLElementTagNameMap extends PalimpsestElements {}
}
