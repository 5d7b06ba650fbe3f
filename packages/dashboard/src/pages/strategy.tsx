import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Basis, basisSentence } from '../parts/common/basis.js';
import { Note } from '../parts/common/panel.js';
import { Members } from '../parts/strategies/members.js';
import { Performance } from '../parts/strategies/performance.js';
import { Shown } from '../parts/common/shown.js';
import { StatisticsPanel } from '../parts/strategies/statistics-panel.js';
import { Change } from '../parts/common/signed.js';
import { day, monthly, value } from '../figures/format.js';
import { useChannel } from '../service/live.js';
import { useRead } from '../service/read.js';
import { type Strategy, TIMEFRAMES, type Timeframe, inTimeframe } from '../service/records.js';
import { session } from '../session/session.js';

/** One strategy: how it did, what it holds, and how to follow it. */
export function StrategyPage() {
  const { id = '' } = useRoute().params;
  const [timeframe, setTimeframe] = useState<Timeframe>('month');
  const strategy = useRead(
    `strategy ${id}`,
    async (client) => (await client.getStrategies({ strategy_id: [id] }))[0],
    60_000,
  );
  return (
    <Shown of={strategy} height="40rem">
      {(found) =>
        found ? (
          <div class="stack">
            <Head strategy={found} timeframe={timeframe} />
            <Performance strategy={found} timeframe={timeframe} onTimeframe={setTimeframe} />
            <Members strategy={found} />
            <StatisticsPanel strategy={found} />
          </div>
        ) : (
          <Note tone="caution">
            There is no such strategy, or it is private. <a href="/">See the public ones</a>
            {session.value === null && (
              <>
                , or <a href={`/sign-in?to=/strategies/${id}`}>sign in</a>
              </>
            )}
            .
          </Note>
        )
      }
    </Shown>
  );
}

function Head({ strategy, timeframe }: { strategy: Strategy; timeframe: Timeframe }) {
  const live = useChannel('wsStrategyValue', strategy.strategy_id).value;
  const now = live.data ? live.data.strategy_value : strategy.strategy_value;
  const label = TIMEFRAMES.find(([name]) => name === timeframe)?.[1];
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
            <Change of={inTimeframe(strategy, timeframe)?.return} />{' '}
            <span class="quiet">in {label}</span>
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
