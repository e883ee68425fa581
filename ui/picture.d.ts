/** Data that `<context-map>` and `<context-chart>` show. Node.js code creates it, so its types are in `lib`. */
export type * from '../lib/entry/types/picture.js';
