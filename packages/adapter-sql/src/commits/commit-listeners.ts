import type { Event, UnitOfWork } from '@slipstream/ports';

interface Subscription {
  readonly listener: (event: Event) => void;
}

/** Who hears the events of the commits. */
export class CommitListeners implements Pick<UnitOfWork, 'subscribe'> {
  private readonly subscriptions = new Set<Subscription>();

  subscribe(listener: (event: Event) => void): () => void {
    const subscription = { listener };
    this.subscriptions.add(subscription);
    return () => void this.subscriptions.delete(subscription);
  }

  /** Delivers the events of one commit. */
  deliver(events: readonly Event[]): void {
    for (const event of events) {
      for (const subscription of [...this.subscriptions]) {
        try {
          if (this.subscriptions.has(subscription)) subscription.listener(event);
        } catch {
          // The port says so: the error of a listener hinders nobody.
        }
      }
    }
  }
}
