import { type AlertRecordId, RESEND_WINDOW, type Timestamp } from '@slipstream/domain';

/** An alert as it reached the service. */
export interface AlertDelivery {
  /** The id of the request that brought it. */
  readonly id: string;
  /** What was received as JSON text, without the token. */
  readonly body: string;
}

/**
 * Which alerts are known to have been answered (contract 3, "Resends"). In memory only: after a restart nobody knows any
 * more whether an answer arrived, so every alert of the 30 seconds before it may be repeated.
 */
export interface AnsweredAlerts {
  /** The answer of `first`, the alert itself or the one it repeats, is on its way to the sender. */
  sending(delivery: string, first: AlertRecordId, now: Timestamp): void;
  /** The response to that delivery was sent to its end. */
  answered(delivery: string): void;
  has(alert: AlertRecordId): boolean;
}

export function answeredAlerts(): AnsweredAlerts {
  const underWay = new Map<string, { readonly first: AlertRecordId; readonly at: Timestamp }>();
  const known = new Map<AlertRecordId, Timestamp>();

  /** Maps keep the order of insertion, so what is too old to be repeated stands in front. */
  const forget = (before: Timestamp): void => {
    for (const [delivery, { at }] of underWay) {
      if (at >= before) break;
      underWay.delete(delivery);
    }
    for (const [alert, at] of known) {
      if (at >= before) break;
      known.delete(alert);
    }
  };

  return {
    sending(delivery, first, now) {
      forget(now - 2 * RESEND_WINDOW);
      underWay.set(delivery, { first, at: now });
    },
    answered(delivery) {
      const sent = underWay.get(delivery);
      if (!sent) return;
      underWay.delete(delivery);
      known.set(sent.first, sent.at);
    },
    has: (alert) => known.has(alert),
  };
}
