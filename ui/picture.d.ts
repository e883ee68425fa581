/** What `<context-map>` and `<context-chart>` show; it is made where no browser is, and so are its types. */
export type * from '../lib/entry/types/picture.js';
