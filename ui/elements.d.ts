/**
 * `palimpsest/elements`: importing it defines the custom elements. They run in browsers (Chromium 123, Firefox 120,
 * Safari 17.5 or newer), use no network and no framework, and work under `default-src 'none'; script-src 'self';
 * style-src 'self'`. Without a DOM, for example on a server, the import defines nothing and does not fail.
 *
 * All elements take the attributes `lang` (`zh…` for Chinese, else English; default: the nearest ancestor's `lang`) and
 * `theme` (`light`, `dark`, `auto`; default: the page's `color-scheme`). They render all content as text, never as
 * markup or links.
 */

import type { PictureMessage, SessionPicture } from './picture.js';

export type * from './picture.js';

/** `auto` follows the system's preference. Default: the page's `color-scheme`. */
export type ElementTheme = 'light' | 'dark' | 'auto';

/** Members that all elements have. */
export interface PalimpsestElement extends HTMLElement {
  /** Resolves when all earlier changes are rendered. */
  readonly updateComplete: Promise<void>;
}

/** Detail of `point-expand` and `point-collapse`. Fields are null if the record lacks them. */
export interface PointEvent {
  id: string | null;
  kind: 'summary' | 'truncation';
  level: number | null;
  /** Number of messages that the summary or notice replaces. */
  originalCount: number | null;
}

/** Detail of `message-activate`, which Enter, a double click, or the message's `activate-label` button sends. */
export interface MessageActivateEvent<Message = unknown> {
  message: Message;
  /** Index of the message in its list: the conversation's own messages at depth 0, else a compression's originals. */
  index: number;
  /** Number of compressions that contain the message. */
  depth: number;
}

/** Detail of `history-error`: reading a batch from the archive failed. */
export interface HistoryErrorEvent {
  error: unknown;
  sessionId: string;
  /** Id of the batch. */
  id: string;
}

/** Source of archived originals: a `SessionArchive`, or an object that a preload script exposes in its place. */
export interface HistorySource {
  get(sessionId: string, id: string): readonly unknown[] | Promise<readonly unknown[]>;
}

/**
 * `<compression-history>`: a conversation with its compressions and truncations. Each of them opens and shows the
 * messages that it replaced, at any level of nesting. Only rows near the visible area are in the document, so long
 * conversations stay fast.
 *
 * Attributes: `session-id`; `heading-level` of user messages (2); `activate-label`: label of a button on each message.
 * Events: `point-expand`, `point-collapse` ({@link PointEvent}), `message-activate` ({@link MessageActivateEvent}),
 * `message-copy` (`{text}`; after `preventDefault` the application does the copying), `expand-all`, `collapse-all`,
 * `history-error` ({@link HistoryErrorEvent}).
 *
 * Parts: `toolbar`, `counts`, `search-field`, `search-result`, `prompts`, `expand-all`, `collapse-all`, `scroller`,
 * `message`, `message-user` (`-assistant`, `-tool`, `-system`), `role`, `text`, `call`, `call-name`, `point`,
 * `point-summary`, `point-truncation`, `point-title`, `time`, `figures`, `disclosure`, `end`, `state`, `match`,
 * `actions`. The element is as high as its content, at most `--palimpsest-history-height` (80vh).
 */
export declare class CompressionHistory<Message = any> extends HTMLElement implements PalimpsestElement {
  readonly updateComplete: Promise<void>;
  /**
   * The conversation, in any dialect that can be compressed. The element never modifies it. After an array that only
   * grew is set, scroll position and open compressions stay; if the user was at the end, the element scrolls to the new
   * end.
   */
  messages: readonly Message[];
  /** Source of archived originals. The element reads only the sessions in `sessionId`. */
  source: HistorySource | undefined;
  /** Sessions that may be read from `source`. Required because a record can name any session. */
  sessionId: string | readonly string[] | undefined;
  /** Call this after the array was changed in place. */
  refresh(): void;
  /** Opens every compression. Resolves when archived originals are loaded or have failed to load. */
  expandAll(): Promise<void>;
  collapseAll(): void;
  /** Highlights matches in all messages, collapsed ones included; ignores case. @returns the number of matches, at most 10,000 */
  search(query: string): Promise<number>;
  /** Scrolls to the first message that matches, focuses it, and opens the compressions around it. @returns false if no message matches */
  reveal(isWanted: (message: Message) => boolean): boolean;
}

/** A `ContextLengthExceededError`, its JSON, or an application's event data with the same fields. */
export interface ContextLimit {
  message?: string;
  suggestion?: string;
  requestedTokens?: number | null;
  maxTokens?: number | null;
  provider?: string;
  details?: { requested?: number | null; max?: number | null };
}

/**
 * `<context-limit-dialog>`: a modal dialog that says by how many tokens a conversation exceeds the model's limit and
 * offers to compress it or to start a new session. Escape closes it, and the focus returns to where it was.
 *
 * Attributes: `open`, `busy`, `no-compress` (hides the compress button), `message`, `suggestion`. Events: `new-session`
 * and `compress-now`, with the error as detail, close the dialog unless a listener calls `preventDefault`;
 * `dialog-close`. Parts: `dialog`, `title`, `message`, `suggestion`, `figures`, `buttons`, `compress`, `new-session`.
 */
export declare class ContextLimitDialog extends HTMLElement implements PalimpsestElement {
  readonly updateComplete: Promise<void>;
  /** The error to show. Setting it doesn't open the dialog. */
  error: ContextLimit;
  open: boolean;
  /** True while the application compresses; disables the buttons. */
  busy: boolean;
  show(error?: ContextLimit): void;
  close(): void;
}

/** An event of `runWithProgress`, or one with the same fields. `progress` is in percent; null if unknown. */
export interface ToolProgressEvent {
  tool?: string;
  stage?: string;
  message?: string;
  progress?: number | null;
}

/**
 * `<tool-progress>`: a tool's progress, its current activity and the elapsed time. Attributes: `value` (percent),
 * `message`, `label`. Without a value the bar is indeterminate. Parts: `track`, `bar`, `message`, `elapsed`.
 */
export declare class ToolProgress extends HTMLElement implements PalimpsestElement {
  readonly updateComplete: Promise<void>;
  /** The newest event. Missing fields keep their last value. The stage `complete` stops the clock. */
  event: ToolProgressEvent;
  /** Start time in ms since 1970. Default: the time of the first event. */
  startedAt: number | undefined;
}

/** What `<context-map>` shows for an opened message: a `PictureMessage`, a text, or a message in any dialect. */
export interface LoadedMessage {
  stored: PictureMessage | string | object;
  /** What is sent instead of `stored`. Default: the cell's placeholder. */
  sent?: PictureMessage | string | object | null;
}

/** An element that draws a picture; `Events`: its events. */
declare abstract class PictureElement<Events extends HTMLElementEventMap>
  extends HTMLElement
  implements PalimpsestElement
{
  readonly updateComplete: Promise<void>;
  /** The data to show. For an invalid picture the element shows an error message. */
  picture: SessionPicture | null | undefined;
  /** Index in `picture.threads`. Default: 0. */
  thread: number;
  /**
   * Index in the thread's requests; -1 if there are none. It follows the newest request by default, after it was set to
   * null, and after the user selected the newest request.
   */
  get request(): number;
  set request(place: number | null);
  addEventListener<Type extends keyof Events>(
    type: Type,
    listener: (this: HTMLElement, event: Events[Type]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<Type extends keyof Events>(
    type: Type,
    listener: (this: HTMLElement, event: Events[Type]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

/** The user selected another request or thread. Use the event to keep a map and a chart on the same request. */
export type RequestChangeEvent = CustomEvent<{ thread: number; request: number }>;

/** The user opened a cell. `preventDefault` keeps the element's own panel closed. */
export type CellActivateEvent = CustomEvent<{ message: number; part: number | null; thread: number; request: number }>;

export interface ContextChartEventMap extends HTMLElementEventMap {
  'request-change': RequestChangeEvent;
}

export interface ContextMapEventMap extends ContextChartEventMap {
  'cell-activate': CellActivateEvent;
  /** The panel of the opened message was closed. */
  'cell-close': CustomEvent<null>;
}

/**
 * `<context-map>`: the content of one request. Each message is a cell, in order, with an area proportional to its
 * tokens. Attributes: `context-window`, `shows`, `sizes`, `theme`, `lang`; `controls="none"` if the page has its own
 * slider. Slot `detail-action`: next to the title of an opened message. Events: `request-change`, `cell-activate`,
 * `cell-close`. Parts: `base`, `slider`, `summary`, `map`, `reading`, `legend`, `detail`, `detail-title`, `close`,
 * `text`, `problem`.
 */
export declare class ContextMap extends PictureElement<ContextMapEventMap> {
  /** The model's context window in tokens, if known; the map marks its end. */
  contextWindow: number | null;
  /** Size cells by what is sent (default) or by what is stored. `stored` makes the savings of replaced results visible. */
  sizes: 'sent' | 'stored';
  /** Show what the agent actually sent (default) or what `ContextView` sends. A live view's picture always shows the latter. */
  shows: 'sent' | 'view';
  /** Opens a cell of the current request. `cell` is an index in the thread's `cells`. */
  openCell(cell: number): void;
  /**
   * Loads the content of an opened cell: the whole message, or, if `part` isn't null, the message's parts from `part`
   * on. Without it the panel says that messages aren't available.
   */
  load: ((message: number, part: number | null) => LoadedMessage | Promise<LoadedMessage>) | null;
}

/**
 * `<context-chart>`: tokens of each request by kind, cache misses, and the cost of each policy. Attributes: `prices`,
 * `costs`, `controls` (`none`: no slider), `theme`, `lang`. Event: `request-change`. Parts: `base`, `tokens`, `slider`,
 * `reading`, `legend`, `marks`, `costs`, `policies`, `table-toggle`, `table`, `problem`.
 */
export declare class ContextChart extends PictureElement<ContextChartEventMap> {
  /** Name of the selected price list in the picture. Default: the first list. */
  get prices(): string | null;
  set prices(name: string | null | undefined);
  /** Cost of each request (default), or the running total. */
  costs: 'each' | 'summed';
}

/** Element classes by tag name. */
export interface PalimpsestElements {
  'compression-history': CompressionHistory;
  'context-chart': ContextChart;
  'context-limit-dialog': ContextLimitDialog;
  'context-map': ContextMap;
  'tool-progress': ToolProgress;
}

/**
 * JSX types of the elements. With React 19:
 *
 *     declare module 'react' {
 *       namespace JSX { interface IntrinsicElements extends PalimpsestJsx {} }
 *     }
 */
export type PalimpsestJsx = {
  [Name in keyof PalimpsestElements]: Partial<Omit<PalimpsestElements[Name], keyof HTMLElement>> & {
    [attribute: string]: any;
  };
};

declare global {
  interface HTMLElementTagNameMap extends PalimpsestElements {}
}
