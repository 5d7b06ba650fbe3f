import type { Event, Events } from './events.js';

interface Subscription {
  readonly listener: (event: Event) => void;
  active: boolean;
}

/**
 * Events inside one process, delivered while `publish` runs. An event that a listener publishes is delivered after the present
 * one, so every listener sees the same order. Errors of listeners go to `onError` and no further.
 */
export function eventBus(onError: (error: unknown, event: Event) => void): Events {
  let subscriptions: readonly Subscription[] = [];
  const waiting: { readonly event: Event; readonly to: readonly Subscription[] }[] = [];
  let delivering = false;

  const call = ({ listener }: Subscription, event: Event): void => {
    try {
      listener(event);
    } catch (error) {
      onError(error, event);
    }
  };

  const deliver = (): void => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      for (const subscription of next.to) if (subscription.active) call(subscription, next.event);
    }
  };

  return {
    publish(event) {
      waiting.push({ event, to: subscriptions });
      if (delivering) return;
      delivering = true;
      try {
        deliver();
      } finally {
        delivering = false;
      }
    },
    subscribe(listener) {
      const subscription: Subscription = { listener, active: true };
      subscriptions = [...subscriptions, subscription];
      return () => {
        subscription.active = false;
        subscriptions = subscriptions.filter((other) => other !== subscription);
      };
    },
  };
}
