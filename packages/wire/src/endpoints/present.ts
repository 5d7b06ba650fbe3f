import {
  type Delivery,
  type Endpoint,
  type Happening,
  type Timestamp,
  decimalText,
} from '@slipstream/domain';
import type { z } from 'zod';
import { presentAlert } from '../alerts/present.js';
import { presentInvoice } from '../billing/present.js';
import { timeOrNull, timeText } from '../fields/output.js';
import { presentBot } from '../mirroring/present.js';
import { presentStrategyValue } from '../performance/present.js';
import { presentSubscription } from '../strategies/present.js';
import { presentOrder } from '../trading/present.js';
import type { deliveryResource, endpointResource, madeEndpointResource } from './resources.js';

/** An endpoint as its owner sees it. */
export interface ShownEndpoint {
  readonly endpoint: Endpoint;
  readonly url: string | null;
}

/** Contract 17, "Endpoint". */
export const presentEndpoint = ({
  endpoint,
  url,
}: ShownEndpoint): z.infer<typeof endpointResource> => ({
  endpoint_id: endpoint.id,
  kind: endpoint.kind,
  url,
  events: [...endpoint.events],
  strategy_ids: endpoint.strategyIds && [...endpoint.strategyIds],
  value_levels: endpoint.valueLevels.map(decimalText),
  status: endpoint.status,
  status_reason: endpoint.statusReason,
  created_at: timeText(endpoint.createdAt),
});

export const presentMadeEndpoint = (
  view: ShownEndpoint & { readonly secret: string | null },
): z.infer<typeof madeEndpointResource> => ({ ...presentEndpoint(view), secret: view.secret });

/** Contract 17, "delivery". */
export const presentDelivery = (delivery: Delivery): z.infer<typeof deliveryResource> => ({
  delivery_id: delivery.id,
  endpoint_id: delivery.endpointId,
  event: delivery.event,
  attempt: delivery.attempt,
  status: delivery.status,
  response_status: delivery.responseStatus,
  reason: delivery.reason,
  next_at: timeOrNull(delivery.nextAt),
  created_at: timeText(delivery.createdAt),
});

function dataOf(happening: Happening): object {
  switch (happening.name) {
    case 'order.filled':
    case 'order.rejected':
    case 'order.cancelled':
      return { ...presentOrder(happening.order), version: happening.version };
    case 'alert.refused':
      return presentAlert(happening.alert);
    case 'subscription.changed':
      return presentSubscription(happening.subscription);
    case 'invoice.changed':
      return presentInvoice(happening);
    case 'value.crossed':
      return {
        ...presentStrategyValue(happening.value),
        previous_value: decimalText(happening.before),
      };
    default:
      return presentBot(happening.bot);
  }
}

/** The body of a webhook (contract 17): `data` is the record as its read shows it, with the version of the book where there is one. */
export const presentHappening = (happening: Happening, at: Timestamp) => ({
  type: happening.name,
  timestamp: timeText(at),
  data: dataOf(happening),
});
