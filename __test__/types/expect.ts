/** True if both are the same type. Mutual assignability would accept `any` for every type. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only for `true`: `expectTrue<Same<A, B>>()`. */
export declare function expectTrue<T extends true>(): T;
