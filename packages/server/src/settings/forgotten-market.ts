import { basisOfKind, segmentKind } from '@slipstream/domain';
import type { MarketRun } from '@slipstream/ports';
import type { ServerSettings } from './settings.js';

const isSimulated = ({ market }: Pick<MarketRun, 'market'>): boolean =>
  basisOfKind(segmentKind(market)) === 'simulated';

/** That MARKET is missing, and what to do: a database of real prices would get the simulated ones of the default. Undefined where it is not. */
export function forgottenMarket(
  lastRun: MarketRun | undefined,
  { isMarketNamed, MARKET }: Pick<ServerSettings, 'isMarketNamed' | 'MARKET'>,
): { readonly says: string; readonly mend: string } | undefined {
  if (isMarketNamed || !lastRun || !isSimulated({ market: MARKET }) || isSimulated(lastRun))
    return undefined;
  const { market } = lastRun;
  return {
    says: `MARKET is not set, which means simulated prices, and this database was last used with MARKET=${market}`,
    mend: `set MARKET=${market}, or MARKET=demo if you mean that`,
  };
}
