import type { TimeStamp } from '@slipstream/domain';

/** Says when a text existed (RFC 3161). */
export interface TimestampAuthority {
  /**
   * Asks for a stamp of the SHA-256 of a text, and checks the answer: its status, hash, nonce, signature, and the purpose and validity of its
   * certificate. Whether its certificate can be trusted is the reader's question. Rejects within a bounded time.
   * @throws {StampFailed} when the authority cannot be reached, or does not stamp.
   */
  stamp(text: string): Promise<TimeStamp>;
}

/** There is no stamp: the authority did not answer, rejected the request, or gave an answer that proves nothing. */
export class StampFailed extends Error {
  override readonly name = 'StampFailed';
}
