import { authenticate } from './accounts/authentication.js';
import { type RequestSource, actorOf } from './audit/actor.js';
import type { Denial } from './audit/denials.js';
import { handlePaymentWebhook } from './billing/invoices.js';
import type { Caller } from './caller.js';
import type { Cores } from './cores.js';
import { type RequestRecord, idempotency } from './idempotency.js';
import type { Operations } from './operations.js';
import type { Services } from './services.js';

/** What a transport calls around the operations of a request: who asks, from where, under which key, and how it ended. */
export const createRequests = (
  { shared, systemCore }: Cores,
  { billing, denials }: Pick<Services, 'billing' | 'denials'>,
  operationsOf: (source?: RequestSource, record?: RequestRecord) => Operations,
) => ({
  /** Who a token stands for; refused as `unauthenticated` when it is nobody. */
  authenticate: authenticate(systemCore('authenticate')),
  /** The operations as one request calls them: the audit log tells where it came from. */
  requestedBy: (source: RequestSource): Operations => operationsOf(source),
  /** Performs a request under an Idempotency-Key: once, however often it is sent (contract 1). */
  idempotently: idempotency(shared, (record, source?: RequestSource) =>
    operationsOf(source, record),
  ),
  /** Records in the audit log that a caller was kept from what is not theirs. */
  denied(caller: Caller, source: RequestSource, denial: Pick<Denial, 'code' | 'objects'>): void {
    denials.tell({ ...actorOf(caller, source), ...denial });
  },
  /** The response to an alert was sent to its end; `delivery` is the id it came with. */
  alertAnswered: (delivery: string): void => shared.unansweredAlerts.answered(delivery),
  /** The connection broke before anything showed that the response had arrived. */
  alertLost: (delivery: string): void => shared.unansweredAlerts.lost(delivery),
  /** What the payment gateway posted by itself; throws `NoticeRefused` when it is not the gateway's. */
  handlePaymentWebhook: handlePaymentWebhook(systemCore('takePaymentNotice'), billing),
});
