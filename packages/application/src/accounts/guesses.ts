import { Refusal, type Timestamp, type UserId, ZERO } from '@slipstream/domain';
import type { Ports, ReadStores, Tally } from '@slipstream/ports';

/** The limits of wrong passwords and codes, and of mails that strangers cause (contract 16). */
export interface GuessLimits {
  /** Per minute, from one address (IPv6: its /64). */
  readonly address: number;
  /** Passwords of one account per minute: from each known device, and from all other places together. */
  readonly account: number;
  /** Codes of the second factor of one account per hour, counted in the same way. */
  readonly codes: number;
  /** Sign-ups per minute from one address, and as many password resets. */
  readonly signups: number;
}

/** The default limits. */
export const DEFAULT_GUESS_LIMITS: GuessLimits = {
  address: 30,
  account: 60,
  codes: 10,
  signups: 30,
};

/** Thrown after too many recent attempts, before anything is compared or changed. */
export class TriedTooOften extends Error {
  override readonly name = 'TriedTooOften';
  constructor(
    /** The time from which a new attempt is allowed. */
    readonly seconds: number,
  ) {
    super('it was tried too often, wait');
  }
}

/** The most attempts under a name within this many milliseconds. */
export interface Allowance {
  readonly name: string;
  readonly limit: number;
  readonly window: number;
}

export interface Guesses {
  /**
   * Counts a guess under every name before it is checked. A wrong guess (`prove` throws a `Refusal`) stays counted;
   * a right or unchecked one is subtracted. Throws `TriedTooOften` beyond the limit, without a check.
   */
  attempt<T>(allowances: readonly Allowance[], prove: () => Promise<T>): Promise<T>;
  /** Counts an action permanently. */
  count(allowances: readonly Allowance[]): Promise<void>;
}

/** Counts a call of an operation by a user. Throws `TriedTooOften` beyond the limit within so many milliseconds. */
export const countCall = (
  { guesses, fingerprints }: Pick<Ports, 'fingerprints'> & { readonly guesses: Guesses },
  operation: string,
  userId: UserId,
  allowed: Pick<Allowance, 'limit' | 'window'>,
): Promise<void> =>
  guesses.count([{ name: fingerprints.of(operation, 'user', userId), ...allowed }]);

type Tallies = Pick<ReadStores, 'tallies'>;

/** Counts guesses in the storage, so that a restart or another process continues the count (contract 16). */
export function createGuesses({ unitOfWork, clock }: Pick<Ports, 'unitOfWork' | 'clock'>): Guesses {
  const present = async (
    { tallies }: Tallies,
    { name, window }: Allowance,
    now: Timestamp,
  ): Promise<Tally> => {
    const kept = await tallies.find(name);
    // A tally that ends later than possible is from before the clock was set back.
    const isOn = kept && kept.endsAt > now && kept.endsAt <= now + window;
    return isOn ? kept : { name, count: 0, total: ZERO, endsAt: now + window };
  };

  /** The present tallies; throws `TriedTooOften` if one of them is used up. */
  const requireAllowed = async (
    stores: Tallies,
    allowances: readonly Allowance[],
  ): Promise<Tally[]> => {
    const now = clock.now();
    const found: Tally[] = [];
    for (const allowance of allowances) {
      const tally = await present(stores, allowance, now);
      if (tally.count >= allowance.limit)
        throw new TriedTooOften(Math.ceil((tally.endsAt - now) / 1000));
      found.push(tally);
    }
    return found;
  };

  const spend = async (allowances: readonly Allowance[]): Promise<readonly Tally[]> => {
    // A refused attempt costs no write.
    await unitOfWork.read((stores) => requireAllowed(stores, allowances));
    return unitOfWork.run(async (stores) => {
      const found = await requireAllowed(stores, allowances);
      const spent = found.map((tally) => ({ ...tally, count: tally.count + 1 }));
      for (const tally of spent) await stores.tallies.save(tally);
      return spent;
    });
  };

  const giveBack = (spent: readonly Tally[]): Promise<void> =>
    unitOfWork.run(async ({ tallies }) => {
      for (const { name, endsAt } of spent) {
        const tally = await tallies.find(name);
        if (tally?.endsAt !== endsAt) continue;
        if (tally.count > 1) await tallies.save({ ...tally, count: tally.count - 1 });
        else await tallies.remove([name]);
      }
    });

  return {
    async attempt(allowances, prove) {
      const spent = await spend(allowances);
      let wasWrong = false;
      try {
        return await prove();
      } catch (error) {
        wasWrong = error instanceof Refusal;
        throw error;
      } finally {
        if (!wasWrong) await giveBack(spent);
      }
    },
    count: async (allowances) => void (await spend(allowances)),
  };
}
