import { authenticate } from './accounts/authentication.js';
import { type RequestSource, actorOf } from './audit/actor.js';
import type { Denial } from './audit/denials.js';
import { handlePaymentWebhook } from './billing/invoices.js';
import type { Caller } from './caller.js';
import type { Cores } from './cores.js';
import { type RequestRecord, idempotency } from './idempotency.js';
import type { Operations } from './operations.js';
import type { Services } from './services.js';

/** The functions that a transport calls around the operations of a request: authentication, source, Idempotency-Key, result. */
export const createRequests = (
  { shared, systemCore }: Cores,
  { billing, denials }: Pick<Services, 'billing' | 'denials'>,
  operationsOf: (source?: RequestSource, record?: RequestRecord) => Operations,
) => ({
  /** The caller with this token; an unknown token is refused as `unauthenticated`. */
  authenticate: authenticate(systemCore('authenticate')),
  /** The operations of one request; the audit log names its source. */
  requestedBy: (source: RequestSource): Operations => operationsOf(source),
  /** Performs a request with an Idempotency-Key once, however often it is sent (contract 1). */
  idempotently: idempotency(shared, (record, source?: RequestSource) =>
    operationsOf(source, record),
  ),
  /** Records a denied access in the audit log. */
  denied(caller: Caller, source: RequestSource, denial: Pick<Denial, 'code' | 'objects'>): void {
    denials.record({ ...actorOf(caller, source), ...denial });
  },
  /** Called when the response to an alert was sent completely; `delivery` is the id of its request. */
  alertAnswered: (delivery: string): void => shared.unansweredAlerts.answered(delivery),
  /** Called when the connection broke before anything showed that the response had arrived. */
  alertLost: (delivery: string): void => shared.unansweredAlerts.lost(delivery),
  /** Handles a notice of the payment gateway; throws `NoticeRefused` if the gateway did not send it. */
  handlePaymentWebhook: handlePaymentWebhook(systemCore('takePaymentNotice'), billing),
});
