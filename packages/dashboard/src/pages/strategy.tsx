import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { type View, figuresIn, isOwn } from '../figures/range.js';
import { basisSentence } from '../figures/basis-words.js';
import { Basis } from '../parts/common/basis.js';
import { later } from '../parts/common/later.js';
import { Note } from '../parts/common/panel.js';
import { Members } from '../parts/strategies/members.js';
import { Performance } from '../parts/strategies/performance.js';
import { Shown } from '../parts/common/shown.js';
import { LiveReturn, SegmentsPanel } from '../parts/strategies/segments-panel.js';
import { StatisticsPanel } from '../parts/strategies/statistics-panel.js';
import { day, monthly, percent, value } from '../figures/format.js';
import { useChannel } from '../service/live.js';
import { useRead } from '../service/read.js';
import { type Strategy, TIMEFRAMES } from '../service/records.js';
import { session } from '../session/session.js';

const PostsPanel = later(() =>
  import('../parts/strategies/posts-panel.js').then((part) => part.PostsPanel),
);
const OwnId = later(() => import('../parts/common/own-id.js').then((part) => part.OwnId));
const SettingsPanel = later(() =>
  import('../parts/owner/settings-panel.js').then((part) => part.SettingsPanel),
);
const LABELS: ReadonlyMap<string, string> = new Map(TIMEFRAMES);

/** One strategy: how it did, what it holds, and how to follow it. */
export function StrategyPage() {
  const { id = '' } = useRoute().params;
  const [view, setView] = useState<View>({ range: { timeframe: 'month' }, benchmark: null });
  const strategy = useRead(
    `strategy ${id}`,
    async (client) => (await client.getStrategies({ strategy_id: [id] }))[0],
    60_000,
  );
  return (
    <Shown of={strategy} what="the strategy" height="40rem">
      {(found) =>
        found ? (
          <div class="stack">
            <Head strategy={found} view={view} />
            <Performance strategy={found} view={view} onView={setView} />
            <Members strategy={found} onChange={strategy.again} />
            <StatisticsPanel strategy={found} />
            <SegmentsPanel strategy={found} />
            {session.value === null ? (
              <p class="small quiet">
                What the owner writes is for readers with an account.{' '}
                <a href={`/sign-in?to=/strategies/${id}`}>Sign in</a> to see it.
              </p>
            ) : (
              <PostsPanel strategy={found} />
            )}
            {session.value?.userId === found.user_id && (
              <SettingsPanel strategy={found} onChange={strategy.again} />
            )}
          </div>
        ) : (
          <div class="stack">
            <h1>No strategy here</h1>
            <Note tone="caution">
              There is no such strategy, or it is private. <a href="/">See the public ones</a>
              {session.value === null && (
                <>
                  , or <a href={`/sign-in?to=/strategies/${id}`}>sign in</a>
                </>
              )}
              .
            </Note>
            {session.value !== null && (
              <>
                <p>Is it private? Its owner can invite you by your user id. Send it to them.</p>
                <OwnId />
              </>
            )}
          </div>
        )
      }
    </Shown>
  );
}

function Head({ strategy, view }: { readonly strategy: Strategy; readonly view: View }) {
  const live = useChannel('wsStrategyValue', strategy.strategy_id).value;
  const now = live.data ? live.data.strategy_value : strategy.strategy_value;
  const { range } = view;
  const known = figuresIn(strategy, range);
  const label = isOwn(range) ? undefined : (LABELS.get(range.timeframe) ?? 'all');
  return (
    <>
      <div class="row ends top-aligned">
        <div class="stack tight">
          <h1>{strategy.name}</h1>
          <div class="row">
            <Basis of={strategy.basis} />
            <span class="tag">{strategy.type === 'stock' ? 'stocks' : 'coins'}</span>
            {strategy.categories.map((category) => (
              <span key={category} class="tag">
                {category}
              </span>
            ))}
            {strategy.private && <span class="tag">private</span>}
            {strategy.owner_trades && <OwnerTrades of={strategy.owner_trades} />}
            <span class="small quiet">
              {strategy.owner.name !== null && `by ${strategy.owner.name} · `}
              since {day(strategy.segment_since ?? strategy.created_at)} · {monthly(strategy.price)}
              {strategy.price > 0 && ' a month'}
            </span>
          </div>
        </div>
        <div>
          <div class="value" data-testid="value">
            {value(now)}
          </div>
          <div class="small">
            {known && (
              <>
                <LiveReturn strategy={strategy} of={known.return} />{' '}
                <span class="quiet">{label}</span>
              </>
            )}
          </div>
        </div>
      </div>
      {strategy.description !== '' && <p class="preline">{strategy.description}</p>}
      <p class="small quiet">{basisSentence(strategy.basis)}</p>
      {strategy.closing_only && strategy.ended_at === null && (
        <Note tone="caution">Its value is at or below zero: it can only close positions now.</Note>
      )}
      {strategy.ended_at !== null && (
        <Note tone="bad">It ended on {day(strategy.ended_at)}. Its record stays.</Note>
      )}
      {live.ended !== undefined && <Note tone="caution">Live figures ended: {live.ended}</Note>}
      {now === null && (
        <Note tone="caution">
          No value now, because a quote is missing. It comes back with the quote.
        </Note>
      )}
    </>
  );
}

/** That the owner's own money follows the strategy. */
const OwnerTrades = (props: { readonly of: NonNullable<Strategy['owner_trades']> }) => (
  <span
    class="tag good"
    title={`Since ${day(props.of.since)}, of the notional of the fills of the last 90 days.`}
  >
    owner trades {percent(props.of.share)} of it with real money
  </span>
);
