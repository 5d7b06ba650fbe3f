import { Refusal, type Timestamp } from '@slipstream/domain';
import type { Ports, ReadStores, Tally } from '@slipstream/ports';

/** The limits of wrong passwords and codes, and of mails that strangers cause (contract 16). */
export interface GuessLimits {
  /** A minute, from one address (IPv6: its /64). */
  readonly address: number;
  /** Passwords a minute, of one account, from everywhere that it was not signed in from; and from each device that it was. */
  readonly account: number;
  /** Codes of the second factor an hour, of one account, likewise. */
  readonly codes: number;
  /** Sign-ups a minute from one address, and as many resets of passwords. */
  readonly signups: number;
}

/** The limits unless the operator says otherwise. */
export const DEFAULT_GUESS_LIMITS: GuessLimits = {
  address: 30,
  account: 60,
  codes: 10,
  signups: 30,
};

/** Thrown before anything was compared or changed, because of too many recent tries. */
export class TriedTooOften extends Error {
  override readonly name = 'TriedTooOften';
  constructor(
    /** The time after which it may be tried again. */
    readonly seconds: number,
  ) {
    super('it was tried too often, wait');
  }
}

/** So many tries under a name, in so many milliseconds. */
export interface Allowance {
  readonly name: string;
  readonly limit: number;
  readonly window: number;
}

export interface Guesses {
  /**
   * Counts a guess under every name before it is tried. It stays counted when it was wrong (`prove` throws a `Refusal`)
   * and is taken back when it was right, or not tried. Throws `TriedTooOften` instead of trying one that is too many.
   */
  attempt<T>(allowances: readonly Allowance[], prove: () => Promise<T>): Promise<T>;
  /** Counts an action permanently. */
  count(allowances: readonly Allowance[]): Promise<void>;
}

type Tallies = Pick<ReadStores, 'tallies'>;

/** Guesses are counted in the storage, so that neither a restart nor another process begins anew (contract 16). */
export function createGuesses({ unitOfWork, clock }: Pick<Ports, 'unitOfWork' | 'clock'>): Guesses {
  const present = async (
    { tallies }: Tallies,
    { name, window }: Allowance,
    now: Timestamp,
  ): Promise<Tally> => {
    const kept = await tallies.find(name);
    // A tally with a later end than possible is from before the clock was set back.
    const isOn = kept && kept.endsAt > now && kept.endsAt <= now + window;
    return isOn ? kept : { name, count: 0, endsAt: now + window };
  };

  const look = async (stores: Tallies, allowances: readonly Allowance[]): Promise<Tally[]> => {
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
    // A refused try costs no write.
    await unitOfWork.read((stores) => look(stores, allowances));
    return unitOfWork.run(async (stores) => {
      const found = await look(stores, allowances);
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
