import type { ExchangeApi } from '../exchange-api.js';

/** The currency of a balance. Coins that earn by themselves (`.F`) are traded as the coin; those that are staked are something else. */
export const codeOfAsset = (api: ExchangeApi, name: string): string =>
  api.codeOf(name.replace(/\.F$/, ''));
