// @ts-check
/** Exit codes. */
export const success = 0;
/** Other files were dealt with. */
export const someFilesFailed = 1;
export const usageError = 2;
/** Shells give it to a program that SIGINT ended. */
export const interruptedBySignal = 130;
