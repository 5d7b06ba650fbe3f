import { type AlertRecordId, RESEND_WINDOW, type Timestamp } from '@slipstream/domain';

/** An alert as it reached the service. */
export interface AlertDelivery {
  /** The id of the request that brought it. */
  readonly id: string;
  /** What was received as JSON text, without the token. */
  readonly body: string;
  /** False once its sender waits no longer: what has not begun by then is not done. */
  readonly wanted?: () => boolean;
}

/** An alert that was carried out, by the fingerprint under which it would be repeated. */
export interface TakenAlert {
  readonly id: AlertRecordId;
  readonly fingerprint: string;
  readonly at: Timestamp;
}

/**
 * The alerts of the last 30 seconds that are not known to have been answered: the same one again repeats them (contract
 * 3, "Resends"). In memory: it may know an alert whose transaction failed, never miss one, and after a restart it knows
 * every alert of that time, because nobody can tell any more which answers arrived.
 */
export interface UnansweredAlerts {
  /**
   * It is being carried out: said before its transaction commits. After the clock was set back it may be later than
   * `now`, which makes no other one old.
   */
  taken(alert: TakenAlert, now: Timestamp): void;
  /** The one that this fingerprint may repeat, taken at `since` or later; the inbox says whether it was committed. */
  find(fingerprint: string, since: Timestamp): AlertRecordId | undefined;
  /** The answer of that alert, the delivery's own or the one it repeats, is on its way to the sender. */
  sending(delivery: string, alert: TakenAlert): void;
  /** The response to that delivery was sent to its end. */
  answered(delivery: string): void;
  /** It was not after all: the connection broke before its sender showed that the answer had arrived. */
  lost(delivery: string): void;
}

export function unansweredAlerts(): UnansweredAlerts {
  const underWay = new Map<string, TakenAlert>();
  const byFingerprint = new Map<string, TakenAlert>();
  const sentToTheEnd = new Map<string, TakenAlert>();

  /** Maps keep the order of insertion, so what is too old to be repeated stands in front. */
  const forget = (alerts: Map<string, TakenAlert>, before: Timestamp): void => {
    for (const [key, { at }] of alerts) {
      if (at >= before) break;
      alerts.delete(key);
    }
  };

  return {
    taken(alert, now) {
      forget(byFingerprint, now - RESEND_WINDOW);
      byFingerprint.delete(alert.fingerprint);
      byFingerprint.set(alert.fingerprint, alert);
    },
    find(fingerprint, since) {
      const alert = byFingerprint.get(fingerprint);
      return alert && alert.at >= since ? alert.id : undefined;
    },
    sending(delivery, alert) {
      forget(underWay, alert.at - 2 * RESEND_WINDOW);
      underWay.set(delivery, alert);
    },
    answered(delivery) {
      const sent = underWay.get(delivery);
      if (!sent) return;
      underWay.delete(delivery);
      if (byFingerprint.get(sent.fingerprint)?.id === sent.id)
        byFingerprint.delete(sent.fingerprint);
      forget(sentToTheEnd, sent.at - 2 * RESEND_WINDOW);
      sentToTheEnd.set(delivery, sent);
    },
    lost(delivery) {
      const sent = sentToTheEnd.get(delivery);
      if (!sent) return;
      sentToTheEnd.delete(delivery);
      if (!byFingerprint.has(sent.fingerprint)) byFingerprint.set(sent.fingerprint, sent);
    },
  };
}
