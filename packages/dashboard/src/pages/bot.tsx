import { useRoute } from 'preact-iso';
import { botSentence, whatToDo } from '../figures/bot-words.js';
import { change, dollars, moment, percent, tone } from '../figures/format.js';
import { AccessPanel } from '../parts/bots/access-panel.js';
import { BotAccountPanel } from '../parts/bots/bot-account.js';
import { BotOrdersPanel } from '../parts/bots/bot-orders.js';
import { BotControls } from '../parts/bots/bot-controls.js';
import { BotName, BotTags, useNames } from '../parts/bots/bot-tags.js';
import { Figure, Figures } from '../parts/common/figure.js';
import { HaltsPanel } from '../parts/bots/halts-panel.js';
import { LimitsPanel } from '../parts/bots/limits-panel.js';
import { MoreSettings } from '../parts/bots/more-settings.js';
import { SettingsPanel } from '../parts/bots/settings-panel.js';
import { Note, Panel } from '../parts/common/panel.js';
import { Shown } from '../parts/common/shown.js';
import { SignedIn } from '../parts/common/signed-in.js';
import { inWords } from '../service/failures.js';
import type { Bot } from '../service/folds.js';
import { useChannel } from '../service/live.js';
import { useRead } from '../service/read.js';

/** One bot: its state, its account against the target, its orders, and how to stop it. */
export function BotPage() {
  const { id = '' } = useRoute().params;
  return (
    <SignedIn>
      <Page id={id} />
    </SignedIn>
  );
}

function Page({ id }: { readonly id: string }) {
  const read = useRead(`bot ${id}`, async (client) => (await client.getBots({ bot_id: [id] }))[0]);
  const live = useChannel('wsBot', id).value.data;
  return (
    <Shown of={read} what="the bot" height="40rem">
      {(first) => {
        const bot = live?.bot ?? first;
        if (!bot)
          return (
            <div class="stack">
              <h1>No bot here</h1>
              <Note tone="caution">
                There is no such bot. <a href="/bots">See yours</a>.
              </Note>
            </div>
          );
        return (
          <div class="stack">
            <Head bot={bot} />
            <div class="columns">
              <BotControls bot={bot} onChange={read.again} />
              <HaltsPanel bot={bot} />
            </div>
            <BotAccountPanel bot={bot} live={live} />
            <Tracking bot={bot} />
            <BotOrdersPanel bot={bot} live={live} />
            <LimitsPanel bot={bot} onChange={read.again} />
            <SettingsPanel bot={bot} onChange={read.again} />
            <MoreSettings bot={bot} onChange={read.again} />
            <AccessPanel bot={bot} onChange={read.again} />
          </div>
        );
      }}
    </Shown>
  );
}

function Head({ bot }: { readonly bot: Bot }) {
  const names = useNames(bot);
  return (
    <>
      <div class="row ends">
        <h1>
          <BotName bot={bot} />
        </h1>
        <BotTags bot={bot} />
      </div>
      {bot.breach !== null && (
        <Note tone="bad">
          A limit was breached ({bot.breach.limit === 'max_drawdown' ? 'drawdown' : 'daily loss'}):
          equity fell to <span class="amount">{dollars(bot.breach.equity)}</span> from{' '}
          <span class="amount">{dollars(bot.breach.from)}</span> at {moment(bot.breach.at)}. Look at
          the account, then acknowledge it below to go on.
        </Note>
      )}
      {bot.status_reason !== null && (
        <Note tone={bot.status === 'error' ? 'bad' : 'caution'}>
          {inWords(bot.status_reason)} {whatToDo(bot)}
        </Note>
      )}
      <p>
        {botSentence(bot)}{' '}
        {bot.drift !== null && `It is ${percent(bot.drift)} away from its target.`}
      </p>
      <p class="small quiet">
        {bot.last_rebalanced_at !== null && `Last run ${moment(bot.last_rebalanced_at)}. `}
        {bot.next_run_at !== null && `Next run ${moment(bot.next_run_at)}. `}
        Mirrors{' '}
        {bot.allocations.map(({ strategy_id, percent: share }, index) => (
          <span key={strategy_id}>
            {index > 0 && ', '}
            <a href={`/strategies/${strategy_id}`}>
              {names.get(strategy_id) ?? 'a strategy'}
            </a> with{' '}
            {percent(share)}
          </span>
        ))}
        {bot.leverage !== '1' && ` × ${bot.leverage}`} of the account.
      </p>
    </>
  );
}

const CAUSES = [
  ['slippage', 'Price', 'tracking_slippage'],
  ['fees', 'Fees', 'tracking_fees'],
  ['delay', 'Delay', 'tracking_delay'],
  ['not_held', 'Not held', 'tracking_not_held'],
  ['leverage_and_caps', 'Leverage and limits', 'tracking_limits'],
  ['other', 'Other', 'tracking_other'],
] as const;

function Tracking({ bot }: { readonly bot: Bot }) {
  const statistics = useRead(
    `tracking ${bot.bot_id}`,
    (client) => client.getBotStatistics({ bot_id: bot.bot_id }),
    60_000,
  );
  return (
    <Panel title="Copied against original">
      <Shown of={statistics} what="the comparison" height="6rem">
        {({ tracking, total_return: mine, target }) =>
          tracking.total.value === null ? (
            <p class="quiet">Not known: {tracking.total.reason}. It counts whole days (UTC).</p>
          ) : (
            <>
              <Figures>
                <Figure label="Account" what="account_return">
                  <span class={tone(mine.value)}>{change(mine.value)}</span>
                </Figure>
                <Figure label="Target" what="target_return">
                  <span class={tone(target.total_return.value)}>
                    {change(target.total_return.value)}
                  </span>
                </Figure>
                <Figure label="Difference" what="tracking">
                  <span class={tone(tracking.total.value)}>{change(tracking.total.value)}</span>
                </Figure>
              </Figures>
              <h3>By cause</h3>
              <Figures>
                {CAUSES.map(([name, label, what]) => (
                  <Figure key={name} label={label} what={what} more={tracking[name].reason ?? ''}>
                    <span class={tone(tracking[name].value)}>{change(tracking[name].value)}</span>
                  </Figure>
                ))}
              </Figures>
            </>
          )
        }
      </Shown>
    </Panel>
  );
}
