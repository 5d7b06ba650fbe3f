import { Note, Panel } from '../parts/common/panel.js';
import { Shown } from '../parts/common/shown.js';
import { SignedIn } from '../parts/common/signed-in.js';
import { StrategiesTable } from '../parts/strategies/strategies-table.js';
import { followedStrategies, ownStrategies } from '../figures/all-pages.js';
import { useRead } from '../service/read.js';

/** The reader's own strategies and those that they follow. */
export function Mine() {
  return (
    <SignedIn>
      <Page />
    </SignedIn>
  );
}

function Page() {
  const own = useRead('own', ownStrategies, 60_000);
  const followed = useRead(
    'followed',
    (client) => followedStrategies(client, 'active', 'pending', 'past_due'),
    60_000,
  );
  return (
    <div class="stack">
      <div class="row ends">
        <h1>Yours</h1>
        <a class="button primary" href="/new-strategy">
          New strategy
        </a>
      </div>
      <Panel title="You publish">
        <Shown of={own} what="your strategies">
          {(all) =>
            all.length === 0 ? (
              <Note>
                You have no strategy yet. <a href="/new-strategy">Make one</a>: it begins with the
                value 1, all in cash, and costs nothing.
              </Note>
            ) : (
              <StrategiesTable strategies={all} timeframe="month" />
            )
          }
        </Shown>
      </Panel>
      <Panel title="You follow">
        <Shown of={followed} what="the strategies that you follow">
          {(all) =>
            all.length === 0 ? (
              <Note>
                You follow nobody yet. <a href="/">Find a strategy</a>.
              </Note>
            ) : (
              <StrategiesTable strategies={all} timeframe="month" />
            )
          }
        </Shown>
      </Panel>
    </div>
  );
}
