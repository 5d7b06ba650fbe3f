import {
  NOTHING_UNHELD,
  type StockId,
  type StrategyId,
  type TargetMark,
  type Timestamp,
  type Unheld,
  type UnheldGain,
  decimal,
} from '@slipstream/domain';
import type { Codec } from '../storage/codec.js';

interface StoredGain {
  readonly notHeld: string;
  readonly leverageAndCaps: string;
}

interface StoredShares extends StoredGain {
  /** Absent of a long position. */
  readonly isShort?: true;
  readonly price: string;
  readonly at: Timestamp;
}

interface StoredMark {
  readonly level: string;
  readonly values: readonly (readonly [StrategyId, string])[];
  /** Absent while everything is held, and in marks of before it was kept. */
  readonly unheld?: readonly (readonly [StockId, StoredShares])[];
}

const storedGain = ({ notHeld, leverageAndCaps }: UnheldGain): StoredGain => ({
  notHeld: notHeld.toFixed(),
  leverageAndCaps: leverageAndCaps.toFixed(),
});

const loadedGain = ({ notHeld, leverageAndCaps }: StoredGain): UnheldGain => ({
  notHeld: decimal(notHeld),
  leverageAndCaps: decimal(leverageAndCaps),
});

const storedUnheld = (unheld: Unheld): NonNullable<StoredMark['unheld']> =>
  [...unheld].map(([stockId, { isShort, price, at, ...shares }]) => [
    stockId,
    { ...(isShort && { isShort }), price: price.toFixed(), at, ...storedGain(shares) },
  ]);

/** What an account gained by what it does not hold, as one text. */
export const unheldGain: Codec<UnheldGain, string> = {
  store: (gain) => JSON.stringify(storedGain(gain)),
  load: (kept) => loadedGain(JSON.parse(kept) as StoredGain),
};

/** How the target of a bot has done, as one text. */
export const targetMark: Codec<TargetMark, string> = {
  store: ({ level, values, unheld }) =>
    JSON.stringify({
      level: level.toFixed(),
      values: [...values].map(([strategyId, value]) => [strategyId, value.toFixed()] as const),
      ...(unheld.size > 0 && { unheld: storedUnheld(unheld) }),
    } satisfies StoredMark),
  load: (kept) => {
    const { level, values, unheld } = JSON.parse(kept) as StoredMark;
    return {
      level: decimal(level),
      values: new Map(values.map(([strategyId, value]) => [strategyId, decimal(value)])),
      unheld: unheld
        ? new Map(
            unheld.map(([stockId, { isShort = false, price, at, ...shares }]) => [
              stockId,
              { isShort, price: decimal(price), at, ...loadedGain(shares) },
            ]),
          )
        : NOTHING_UNHELD,
    };
  },
};
