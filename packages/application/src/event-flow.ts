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
 * Does at once what follows from events, until the returned function is called: a bot is due after a fill of a strategy that it mirrors or
 * a change of halts, bots and endpoints end with their access, and users who were notified are remembered. The regular check of each bot, and the next
 * event of an endpoint, find missed events.
 */
export function actOnEvents(
  { events, log }: Pick<Ports, 'events' | 'log'>,
  { notified }: Pick<Core, 'notified'>,
  { reconciler, endEndpoints }: Pick<Services, 'reconciler' | 'endEndpoints'>,
): () => void {
  const act = async (event: Event): Promise<void> => {
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
    act(event).catch((error: unknown) =>
      log.warn({ event: event.kind, error }, 'could not act on an event'),
    );
  });
}
