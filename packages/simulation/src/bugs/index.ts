import { accessBugs } from './access.js';
import type { Bug } from './bug.js';
import { marketBugs } from './market.js';
import { mirroringBugs } from './mirroring.js';
import { moneyBugs } from './money.js';
import { repeatingBugs } from './repeating.js';
import { tradingBugs } from './trading.js';

/** Every bug that is made on purpose. */
export const bugs: readonly Bug[] = [
  ...tradingBugs,
  ...marketBugs,
  ...repeatingBugs,
  ...mirroringBugs,
  ...moneyBugs,
  ...accessBugs,
];

export { matchingBugs } from './matching.js';
