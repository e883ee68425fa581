// @ts-check
import { sharedHelp } from './shared.mjs';

export const help = `Usage: palimpsest simulate [options] [path…]

Shows for recorded sessions the bill that was paid, the bill that the model of
the prompt cache predicts, and what each policy would have made of it:
leaving the history alone, the rules at every request, batches of 20 k and 30 k
tokens, all but 3 above 100 k, and ContextView.

Options:
  --price-list <a,b>  instead of each session’s own prices those of anthropic,
                      anthropic-1h, openai, openai-older, deepseek, gemini, none
                      or all
  --need              instead of the bills, what each policy costs and what
                      it misses: answers that took lines, words or names from
                      a result that the policy no longer sent
  --explain           with --need: each thing that ContextView misses, in a line
  --hindsight         search for the cheapest schedule, too: seconds for each
                      session of a thousand messages
  --svg <file>        write a plot of cost over requests: each policy, and what
                      was paid; of the twelve dearest sessions
  --plot              draw the same in the terminal, as is done for one session
                      where it fits
${sharedHelp}`;
