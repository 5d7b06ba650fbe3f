import type { EndpointEvent, EndpointEventId } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { mayKnowName } from '../strategies/access.js';
import { openedIfReadable } from '../secrets/lost-key.js';
import { concernedBy, happeningOf } from './happened.js';
import type { Said } from './said.js';
import { textOf } from './texts.js';

type Needs = Pick<Core, 'clock' | 'ids' | 'live' | 'secretBox' | 'settings' | 'endpointSender'>;

/** What a message says, as it is kept. */
interface SealedMessage {
  readonly body: string;
  readonly text: string;
}

const messageContext = (eventId: EndpointEventId): string => `endpoint_event|${eventId}`;

/** What is to be said of the event; undefined when its master key was lost. */
export function openMessage(
  { secretBox }: Pick<Core, 'secretBox'>,
  { id, sealed }: Pick<EndpointEvent, 'id' | 'sealed'>,
): SealedMessage | undefined {
  const plain = openedIfReadable(secretBox, sealed, messageContext(id));
  return plain === undefined ? undefined : (JSON.parse(plain) as SealedMessage);
}

async function isHeard(
  { endpoints }: Pick<Stores, 'endpoints'>,
  topics: readonly string[],
): Promise<boolean> {
  for (const topic of topics) if (await endpoints.isHeard(topic)) return true;
  return false;
}

/** Who pays may know the name before what happened, such as the end of an access, or after it. What else is told is of who may see it. */
async function isNamed(stores: Stores, said: Said): Promise<boolean> {
  if (said.name !== 'subscription.changed' && said.name !== 'invoice.changed') return true;
  const { userId, strategyId } = said.name === 'invoice.changed' ? said.invoice : said.subscription;
  return said.isNamed || mayKnowName(stores, userId, strategyId);
}

/**
 * Keeps what a transaction said for the endpoints that listen, in the same transaction: what is told is true, and what is true
 * is told, whatever crashes. An event that nobody hears costs a look in memory.
 */
export const tellEndpoints =
  (needs: Needs) =>
  async (stores: Stores, said: readonly Said[]): Promise<void> => {
    const { clock, ids, live, secretBox, endpointSender } = needs;
    if (!endpointSender || !(await stores.endpoints.isAnyHeard())) return;
    for (const one of said) {
      const concerned = await concernedBy(stores, one);
      if (!(await isHeard(stores, concerned.topics))) continue;
      const at = clock.now();
      const happening = await happeningOf(needs, stores, one, live.market(at));
      const id = ids.next<'endpoint_event'>();
      const message: SealedMessage = {
        body: endpointSender.bodyOf(happening, at),
        text: await textOf(needs, stores, happening, await isNamed(stores, one)),
      };
      await stores.endpointEvents.add({
        id,
        name: one.name,
        ...concerned,
        moved: one.name === 'value.crossed' ? { from: one.from, to: one.to } : null,
        sealed: secretBox.seal(JSON.stringify(message), messageContext(id)),
        createdAt: at,
      });
    }
  };
