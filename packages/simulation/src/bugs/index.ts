import type { MatchingBug } from '../reference/matching-bug.js';
import { accessBugs } from './access.js';
import { belowZeroBugs } from './below-zero.js';
import { brokerBugs } from './brokers.js';
import type { Bug } from './bug.js';
import { marketBugs } from './market.js';
import { figureBugs } from './figures.js';
import { orderMatchingBugs } from './matching.js';
import { mirroringBugs } from './mirroring.js';
import { moneyBugs } from './money.js';
import { repeatingBugs } from './repeating.js';
import { tradingBugs } from './trading.js';

/** All deliberate bugs. */
export const bugs: readonly Bug[] = [
  ...tradingBugs,
  ...marketBugs,
  ...repeatingBugs,
  ...brokerBugs,
  ...mirroringBugs,
  ...figureBugs,
  ...moneyBugs,
  ...accessBugs,
];

/** The bugs that the comparison with the reference engine must find. */
export const matchingBugs: readonly MatchingBug[] = [...orderMatchingBugs, ...belowZeroBugs];
