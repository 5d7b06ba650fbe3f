import { botSentence } from '../figures/bot-words.js';
import { moment, percent } from '../figures/format.js';
import { BotName, BotTags } from '../parts/bots/bot-tags.js';
import { HaltsPanel } from '../parts/bots/halts-panel.js';
import { Note, Panel } from '../parts/common/panel.js';
import { Shown } from '../parts/common/shown.js';
import { SignedIn } from '../parts/common/signed-in.js';
import { inWords } from '../service/failures.js';
import type { Bot } from '../service/folds.js';
import { useChannel } from '../service/live.js';
import { useRead } from '../service/read.js';

/** All bots of the reader at a glance. */
export function Bots() {
  return (
    <SignedIn>
      <List />
    </SignedIn>
  );
}

function List() {
  const bots = useRead('bots', (client) => client.getBots());
  return (
    <div class="stack">
      <div class="row ends">
        <div>
          <h1>Bots</h1>
          <p class="quiet">A bot mirrors strategies into a brokerage account of yours.</p>
        </div>
        <a class="button primary" href="/new-bot">
          New bot
        </a>
      </div>
      <Shown of={bots} what="your bots">
        {(all) =>
          all.length === 0 ? (
            <Note>
              You have no bots. <a href="/">Choose a strategy</a> and follow it first, then make a
              bot that mirrors it.
            </Note>
          ) : (
            <div class="columns">
              {all.map((bot) => (
                <Card key={bot.bot_id} read={bot} />
              ))}
            </div>
          )
        }
      </Shown>
      {/* The emergency halt comes when its place is known: it must not jump under a hurried finger. */}
      {(bots.isAnswered || bots.error !== undefined) && <HaltsPanel bots={bots.data ?? []} />}
    </div>
  );
}

function Card({ read }: { readonly read: Bot }) {
  const bot = useChannel('wsBot', read.bot_id).value.data?.bot ?? read;
  return (
    <Panel title={<BotName bot={bot} />} aside={<BotTags bot={bot} />}>
      {bot.status_reason !== null && <Note tone="caution">{inWords(bot.status_reason)}</Note>}
      <p>{botSentence(bot)}</p>
      <p class="small quiet">
        {[
          bot.drift !== null && `${percent(bot.drift)} away from its target`,
          bot.last_rebalanced_at !== null && `last ${moment(bot.last_rebalanced_at)}`,
        ]
          .filter((part) => part !== false)
          .join(' · ')}
      </p>
      <p>
        <a href={`/bots/${bot.bot_id}`}>Account, orders, start and stop</a>
      </p>
    </Panel>
  );
}
