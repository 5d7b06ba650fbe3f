import { bots } from './bots.js';
import { clients } from './clients.js';
import type { Dimension } from './dimension.js';
import { orders } from './orders.js';
import { strategies } from './strategies.js';

/** The dimensions of growth, in the order of measurement. */
export const dimensions: readonly Dimension[] = [strategies, orders, clients, bots];
