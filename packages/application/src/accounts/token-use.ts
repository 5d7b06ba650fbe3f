import {
  TOKEN_IDLE_LIFETIME,
  type Timestamp,
  type Token,
  type TokenId,
  MINUTE,
} from '@slipstream/domain';
import type { Stores, UnitOfWork } from '@slipstream/ports';
import { chunksOf } from '../chunks-of.js';
import { Throttle } from '../housekeeping/throttle.js';

/** Tokens per transaction: few, so that commands run in between. */
const CHUNK = 200;

/** Records the use of tokens: at once in memory, once a minute in the storage, because each request uses a token. */
export class TokenUse {
  private readonly used = new Map<TokenId, Timestamp>();
  private readonly throttle = new Throttle();

  note(tokenId: TokenId, at: Timestamp): void {
    this.used.set(tokenId, at);
  }

  /** Writes the recorded uses, at most once a minute except for the last time. After a failure the next call writes the rest. */
  async write({ run }: UnitOfWork, now: Timestamp, isLast = false): Promise<void> {
    if (!isLast && !this.throttle.isDue(now)) return;
    this.throttle.done(now, MINUTE);
    for (const some of chunksOf([...this.used], CHUNK)) {
      await run(async ({ tokens }) => {
        for (const [tokenId, usedAt] of some) await noteUse(tokens, tokenId, usedAt);
      });
      for (const [tokenId, usedAt] of some) {
        if (this.used.get(tokenId) === usedAt) this.used.delete(tokenId);
      }
    }
  }
}

/** A use extends the token and its ancestors, so that no token ends before its descendants. */
async function noteUse(
  tokens: Stores['tokens'],
  tokenId: TokenId,
  usedAt: Timestamp,
): Promise<void> {
  const token = await tokens.find(tokenId);
  if (!token) return;
  for (
    let parent = await parentOf(tokens, token);
    parent;
    parent = await parentOf(tokens, parent)
  ) {
    if (parent.renewedByUse)
      await tokens.used(parent.id, parent.lastUsedAt, endAfter(parent, usedAt));
  }
  await tokens.used(tokenId, usedAt, endAfter(token, usedAt));
}

const parentOf = async (
  tokens: Stores['tokens'],
  { parentId }: Token,
): Promise<Token | undefined> => (parentId === null ? undefined : tokens.find(parentId));

const endAfter = ({ renewedByUse, expiresAt }: Token, usedAt: Timestamp): Timestamp | null =>
  renewedByUse ? Math.max(expiresAt ?? 0, usedAt + TOKEN_IDLE_LIFETIME) : expiresAt;
