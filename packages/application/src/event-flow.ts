import type { Event, Ports } from '@slipstream/ports';
import type { Core } from './core.js';
import type { Services } from './services.js';

/**
 * Publishes committed events to the listeners inside the process, until the returned function is called. The value of a
 * strategy is published after the change of its book.
 */
export const publishCommits = (
  { unitOfWork, events }: Pick<Ports, 'unitOfWork' | 'events'>,
  { watch }: Pick<Core, 'watch'>,
): (() => void) =>
  unitOfWork.subscribe((event) => {
    events.publish(event);
    // A split does not change the value; quotes stay hidden until it is applied to every book.
    if (event.kind === 'book_changed' && event.adjusted?.kind !== 'split')
      watch.publishIfChanged(event.strategyId);
  });

/**
 * Makes bots due at once after a fill of a mirrored strategy or a change of halts, and stops them when their access ends, and so ends
 * endpoints, until the returned function is called. The regular check of each bot, and the next event of an endpoint, find missed events.
 */
export function wakeBotsByEvents(
  { events, log }: Pick<Ports, 'events' | 'log'>,
  { notified }: Pick<Core, 'notified'>,
  { reconciler, endEndpoints }: Pick<Services, 'reconciler' | 'endEndpoints'>,
): () => void {
  const wake = async (event: Event): Promise<void> => {
    if (event.kind === 'halt_changed') await reconciler.haltChanged(event.halt);
    if (event.kind === 'access_changed') {
      await reconciler.stopBots(event);
      await endEndpoints(event);
    }
    if (event.kind === 'book_changed' && event.changes.some(({ kind }) => kind === 'filled'))
      await reconciler.wakeBots(event.strategyId);
  };
  return events.subscribe((event) => {
    if (event.kind === 'notification_added') notified.add(event.notification.userId);
    wake(event).catch((error: unknown) =>
      log.warn({ event: event.kind, error }, 'could not wake bots for an event'),
    );
  });
}
