import { botTone } from '../../figures/bot-words.js';
import { words } from '../../figures/format.js';
import { useRead } from '../../service/read.js';
import type { Bot } from '../../service/folds.js';

/** Broker, account and state of a bot; real money is told apart unmistakably. */
export const BotTags = ({ bot }: { readonly bot: Bot }) => (
  <span class="row">
    {bot.live ? (
      <span class="tag real">REAL MONEY</span>
    ) : (
      <span class="tag caution">{bot.broker === 'simulated' ? 'simulated' : 'play money'}</span>
    )}
    {bot.broker !== 'simulated' && <span class="tag">{words(bot.broker)}</span>}
    <span class={`tag ${botTone(bot)}`}>{words(bot.status)}</span>
    {bot.dry_run && <span class="tag">trial</span>}
  </span>
);

/** The bot as its owner calls it; without a name by what it mirrors, and where. */
export const BotName = ({ bot }: { readonly bot: Bot }) =>
  bot.name === null ? <Mirrored bot={bot} /> : <>{bot.name}</>;

/** The names of the strategies that a bot mirrors, by their ids, once they are read. */
export function useNames({ allocations }: Bot): ReadonlyMap<string, string> {
  const ids = allocations.map(({ strategy_id: id }) => id);
  const read = useRead(ids.length > 0 ? `names ${ids.join(' ')}` : null, (client) =>
    client.getStrategies({ strategy_id: ids }),
  );
  return new Map(read.data?.map(({ strategy_id: id, name }) => [id, name]));
}

function Mirrored({ bot }: { readonly bot: Bot }) {
  const names = [...useNames(bot).values()].join(', ');
  return (
    <>
      {names || 'Bot'} at {bot.broker === 'simulated' ? 'the simulated broker' : words(bot.broker)}
    </>
  );
}
