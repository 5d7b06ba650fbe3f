import { Refusal } from '@slipstream/domain';
import type { Log } from '@slipstream/ports';
import { type Channel, presentBotAccount } from '@slipstream/wire';
import type { StreamedApplication } from '../streamed-application.js';
import { mayHear } from './rights.js';
import type { Subscription } from './subscription.js';

/** Reads the accounts of bots for their listeners, each once for all of them. */
export function accountReads(
  { operations }: Pick<StreamedApplication, 'operations'>,
  log: Pick<Log, 'error'>,
) {
  const underWay = new Set<string>();
  return {
    /** getBotAccount's answer; undefined if no listener may hear it, the broker does not answer, or it is asked already. */
    async read(
      channel: Channel,
      listeners: Iterable<Subscription>,
    ): Promise<ReturnType<typeof presentBotAccount> | undefined> {
      const callers = [...listeners].map(({ connection }) => connection.caller);
      const caller = callers.find((one) => mayHear(one, channel, 'account'));
      if (!caller || underWay.has(channel.id)) return undefined;
      underWay.add(channel.id);
      try {
        return presentBotAccount(await operations.getBotAccount(caller, { botId: channel.id }));
      } catch (error) {
        // The record of the bot says why its broker does not answer.
        if (!(error instanceof Refusal))
          log.error({ error: String(error) }, 'could not read the account of a bot');
        return undefined;
      } finally {
        underWay.delete(channel.id);
      }
    },
  };
}
