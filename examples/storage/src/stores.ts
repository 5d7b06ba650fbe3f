import type { Event, Stores } from '@slipstream/ports';
import { accountStores } from './stores/accounts.js';
import { alertStores } from './stores/alerts.js';
import { anchorStores } from './stores/anchors.js';
import { billingStores } from './stores/billing.js';
import { countStores } from './stores/counts.js';
import { endpointStores } from './stores/endpoints.js';
import { mirroringStores } from './stores/mirroring.js';
import { seriesStores } from './stores/series.js';
import { socialStores } from './stores/social.js';
import { strategyStores } from './stores/strategies.js';
import { tradingStores } from './stores/trading.js';
import type { Tables } from './table.js';

/** Every store, over the tables of one work; `events` takes those of its commit. */
export const storesOver = (tables: Tables, events: Event[]): Stores => ({
  ...accountStores(tables),
  ...anchorStores(tables),
  ...alertStores(tables),
  ...billingStores(tables),
  ...countStores(tables),
  ...endpointStores(tables),
  ...mirroringStores(tables),
  ...seriesStores(tables),
  ...socialStores(tables),
  ...strategyStores(tables),
  ...tradingStores(tables),
  events: { add: async (event) => void events.push(event) },
});
