import { bots } from './bots.js';
import { clients } from './clients.js';
import type { Dimension } from './dimension.js';
import { orders } from './orders.js';
import { strategies } from './strategies.js';

/** What can become many, in the order in which it is measured. */
export const dimensions: readonly Dimension[] = [strategies, orders, clients, bots];
