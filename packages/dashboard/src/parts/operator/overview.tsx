import { count, words } from '../../figures/format.js';
import { useRead } from '../../service/read.js';
import { clientWith } from '../../session/session.js';
import { Figure, Figures } from '../common/figure.js';
import { Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { FailuresPanel } from './failures.js';
import { HaltsOfAll } from './halts-of-all.js';

const GIGABYTES = new Intl.NumberFormat(undefined, {
  style: 'unit',
  unit: 'gigabyte',
  maximumFractionDigits: 1,
});

/** Counts, failures, feeds and halts of the whole service. */
export function Overview({ token }: { readonly token: string }) {
  const overview = useRead('overview', () => clientWith(token).getOverview(), 10_000);
  return (
    <Shown of={overview} what="the state of the service" height="20rem">
      {(all) => (
        <>
          <Panel title="Now">
            <Figures>
              <Figure label="Users" what="users">
                {count(String(all.users))}
              </Figure>
              <Figure label="Strategies" what="strategies">
                {count(String(all.strategies))}
              </Figure>
              <Figure
                label="Failed mails"
                what="failed_mails"
                tone={all.failed_mails > 0 ? 'down' : ''}
              >
                {all.failed_mails}
              </Figure>
              <Figure
                label="Failed payments"
                what="failed_payments"
                tone={all.failed_payments > 0 ? 'down' : ''}
              >
                {all.failed_payments}
              </Figure>
              <Figure label="Free disk" what="free_disk">
                {all.disk_free === null ? '–' : GIGABYTES.format(all.disk_free / 1e9)}
              </Figure>
            </Figures>
          </Panel>
          <div class="columns">
            <Panel title="Bots">
              <Figures>
                {Object.entries(all.bots).map(([status, number]) => (
                  <Figure
                    key={status}
                    label={words(status)}
                    what="bots"
                    tone={status === 'error' && number > 0 ? 'down' : ''}
                  >
                    {number}
                  </Figure>
                ))}
              </Figures>
            </Panel>
            <Panel title="Feeds">
              <ul class="list">
                {all.feeds.length === 0 && <li class="quiet">You send the quotes.</li>}
                {all.feeds.map(({ name, age, healthy }) => (
                  <li key={name} class="row ends">
                    <span>{name}</span>
                    <span>
                      <span class={`tag ${healthy ? 'good' : 'bad'}`}>
                        {healthy ? 'healthy' : 'not healthy'}
                      </span>{' '}
                      <span class="small quiet">
                        {age === null ? 'silent so far' : `${Math.round(age / 1000)} s ago`}
                      </span>
                    </span>
                  </li>
                ))}
              </ul>
            </Panel>
          </div>
          <FailuresPanel overview={all} />
          <HaltsOfAll token={token} halts={all.halts} onChange={overview.again} />
        </>
      )}
    </Shown>
  );
}
