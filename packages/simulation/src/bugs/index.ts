import { accessBugs } from './access.js';
import type { Bug } from './bug.js';
import { mirroringBugs } from './mirroring.js';
import { tradingBugs } from './trading.js';

/** Every bug that is made on purpose. */
export const bugs: readonly Bug[] = [...tradingBugs, ...mirroringBugs, ...accessBugs];
