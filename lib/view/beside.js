// @ts-check
'use strict';

/**
 * Says which requests stand beside a conversation although they look like its next: those of the one that it branched off from,
 * which was asked for again. By messages alone it would take the other's requests for its own, which left nothing in its cache:
 * until it goes on by itself, nothing is decided on it.
 */
class Beside {
  #isByMessages;
  /** Requests of at most so many messages stand beside. */ #upTo = -1;

  /** @param {boolean} isByMessages */
  constructor(isByMessages) {
    this.#isByMessages = isByMessages;
  }

  /** The other was asked for again. */
  begin() {
    if (this.#isByMessages) this.#upTo = Infinity;
  }

  /** Whether the next request stands beside. @param {number} length of its messages */
  takes(length) {
    const takes = length <= this.#upTo;
    this.#upTo = takes ? length : -1;
    return takes;
  }
}

module.exports = { Beside };
