// @ts-check
/** What a command tells the shell. */
export const success = 0;
/** The other files were dealt with. */
export const someFilesFailed = 1;
export const usageError = 2;
/** As shells have it for a program that SIGINT ended. */
export const interruptedBySignal = 130;
