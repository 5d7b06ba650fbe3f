import { hash, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import pLimit from 'p-limit';
import { Overloaded, type Passwords } from '@slipstream/ports';

/** argon2id at 19 MiB and 2 passes: the least that OWASP advises. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The 30,000 or so that were found most often among stolen ones. */
const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/** How much hashing costs, and how much of it is done side by side. */
export interface HashingWork {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
  /** Hashes at work at once: fewer than the threads that files and names are waited for by, too. */
  readonly atOnce: number;
  /** Those that wait for their turn; one more is refused as `Overloaded`. */
  readonly waiting: number;
}

const USUAL: HashingWork = { ...COST, atOnce: 2, waiting: 400 };

/** Passwords as argon2id hashes in PHC text. */
export function argon2Passwords(changes: Partial<HashingWork> = {}): Passwords {
  const { atOnce, waiting, ...cost } = { ...USUAL, ...changes };
  const turns = pLimit(atOnce);
  /** The hash for unknown users, so that a wrong address takes as long as a wrong password: the first check of anybody makes it. */
  let nobody: Promise<string> | undefined;

  const inTurn = async <T>(task: () => Promise<T>): Promise<T> => {
    if (turns.pendingCount >= waiting) throw new Overloaded('too many passwords are being hashed');
    return turns(task);
  };

  return {
    hash: (password) => inTurn(() => hash(password, cost)),
    verify: (kept, password) =>
      inTurn(async () => {
        const other = await (nobody ??= hash('nobody has this password', cost));
        const matches = await verify(kept === '' ? other : kept, password);
        return matches && kept !== '';
      }),
    isCommon: (password) => COMMON.has(password.toLowerCase()),
  };
}
