import { type AlertRecordId, RESEND_WINDOW, type Timestamp } from '@slipstream/domain';

/** An alert as the service received it. */
export interface AlertDelivery {
  /** The id of its request. */
  readonly id: string;
  /** The received JSON text, without the token. */
  readonly body: string;
  /** False once its sender no longer waits: a transaction that has not started by then is not run. */
  readonly isWanted?: () => boolean;
  /** Whether its request was sent before by a server that forwards and never got the answer: the alert may be in the inbox already. */
  readonly isAgain?: boolean;
}

/** An executed alert with the fingerprint that a repeat of it would have. */
export interface TakenAlert {
  readonly id: AlertRecordId;
  readonly fingerprint: string;
  readonly at: Timestamp;
}

/**
 * The alerts of the last 30 seconds whose answers are not known to have arrived: the same alert again is a resend (contract
 * 3, "Resends"). In memory. It may hold an alert whose transaction failed, but never misses one. After a restart it holds
 * every alert of that time, because nobody knows any more which answers arrived.
 */
export interface UnansweredAlerts {
  /**
   * Called before the alert's transaction commits. If the clock was set back, the alert may be later than
   * `now`; that makes no other alert old.
   */
  taken(alert: TakenAlert, now: Timestamp): void;
  /** The alert that this fingerprint may repeat, taken at `since` or later. The inbox shows whether it was committed. */
  find(fingerprint: string, since: Timestamp): AlertRecordId | undefined;
  /** Called when the answer is being sent: that of the delivery's own alert, or of the alert that it repeats. */
  sending(delivery: string, alert: TakenAlert): void;
  /** Called when the response to that delivery was sent completely. */
  answered(delivery: string): void;
  /** Called when the connection broke before its sender showed that the answer had arrived. */
  lost(delivery: string): void;
}

export function unansweredAlerts(): UnansweredAlerts {
  const underWay = new Map<string, TakenAlert>();
  const byFingerprint = new Map<string, TakenAlert>();
  const sentToTheEnd = new Map<string, TakenAlert>();
  /** Of each alert, how many deliveries were sent to the end and not lost. */
  const arrived = new Map<AlertRecordId, number>();

  /** Maps keep the order of insertion, so the oldest alerts come first. */
  const forget = (
    alerts: Map<string, TakenAlert>,
    before: Timestamp,
    forgotten: (alert: TakenAlert) => void = () => undefined,
  ): void => {
    for (const [key, alert] of alerts) {
      if (alert.at >= before) break;
      alerts.delete(key);
      forgotten(alert);
    }
  };

  const count = (id: AlertRecordId, by: 1 | -1): number => {
    const counted = (arrived.get(id) ?? 0) + by;
    if (counted > 0) arrived.set(id, counted);
    else arrived.delete(id);
    return counted;
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
      forget(sentToTheEnd, sent.at - 2 * RESEND_WINDOW, ({ id }) => count(id, -1));
      sentToTheEnd.set(delivery, sent);
      count(sent.id, 1);
    },
    lost(delivery) {
      const sent = sentToTheEnd.get(delivery);
      if (!sent) return;
      sentToTheEnd.delete(delivery);
      // Its sender has the answer all the same, from a delivery that repeated it.
      if (count(sent.id, -1) > 0) return;
      if (!byFingerprint.has(sent.fingerprint)) byFingerprint.set(sent.fingerprint, sent);
    },
  };
}
