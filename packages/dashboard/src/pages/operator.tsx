import { useState } from 'preact/hooks';
import { count, moment, words } from '../figures/format.js';
import { Failure, Field, Form } from '../parts/common/form.js';
import { Figure, Figures } from '../parts/common/figure.js';
import { Note, Panel } from '../parts/common/panel.js';
import { Shown } from '../parts/common/shown.js';
import { useAction } from '../service/action.js';
import { useRead } from '../service/read.js';
import { clientWith } from '../session/session.js';

/** The state of the whole service, for who has the operator's token. The token stays on this page and is stored nowhere. */
export function Operator() {
  const [typed, setTyped] = useState('');
  const [token, setToken] = useState<string | null>(null);
  const check = useAction(
    (_, given: string) => clientWith(given).getOverview(),
    (_, given) => {
      setToken(given);
      setTyped('');
    },
  );
  return (
    <div class="stack">
      <h1>Operator</h1>
      {token === null ? (
        <div class="narrow">
          <Panel title="Who are you?">
            <Form onSubmit={() => void check.run(typed.trim())}>
              <Field
                label="Operator's token"
                type="password"
                autocomplete="off"
                required
                value={typed}
                onValue={setTyped}
                hint="Kept on this page alone; a reload forgets it."
              />
              {check.error !== undefined && (
                <Note tone="bad">This token is not the operator's.</Note>
              )}
              <button class="primary" disabled={check.isBusy}>
                Look
              </button>
            </Form>
          </Panel>
        </div>
      ) : (
        <Overview token={token} />
      )}
    </div>
  );
}

const GIGABYTES = new Intl.NumberFormat(undefined, {
  style: 'unit',
  unit: 'gigabyte',
  maximumFractionDigits: 1,
});

function Overview({ token }: { readonly token: string }) {
  const overview = useRead('overview', () => clientWith(token).getOverview(), 10_000);
  const [reason, setReason] = useState('');
  const halt = useAction(
    (_, text: string, options) =>
      clientWith(token).haltTrading({ scope: 'all', reason: text }, options),
    overview.again,
  );
  const resume = useAction(
    (_, halt_id: string, options) => clientWith(token).resumeTrading({ halt_id }, options),
    overview.again,
  );
  return (
    <Shown of={overview} height="20rem">
      {(all) => (
        <>
          <Panel title="Now">
            <Figures>
              <Figure label="Users">{count(String(all.users))}</Figure>
              <Figure label="Strategies">{count(String(all.strategies))}</Figure>
              <Figure label="Failed mails" tone={all.failed_mails > 0 ? 'down' : ''}>
                {all.failed_mails}
              </Figure>
              <Figure label="Failed payments" tone={all.failed_payments > 0 ? 'down' : ''}>
                {all.failed_payments}
              </Figure>
              <Figure label="Free disk">
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
          <Panel title="Halts">
            <ul class="list">
              {all.halts.length === 0 && <li class="quiet">None.</li>}
              {all.halts.map((one) => (
                <li key={one.halt_id} class="row ends">
                  <span>
                    <b>{one.scope}</b> {one.id} · {one.reason}{' '}
                    <span class="small quiet">{moment(one.created_at)}</span>
                  </span>
                  {one.by === 'operator' && (
                    <button
                      type="button"
                      disabled={resume.isBusy}
                      onClick={() => void resume.run(one.halt_id)}
                    >
                      Lift
                    </button>
                  )}
                </li>
              ))}
            </ul>
            <Form label="Halt all trading" onSubmit={() => void halt.run(reason.trim())}>
              <Field
                label="Reason"
                required
                maxLength={200}
                value={reason}
                onValue={setReason}
                hint="Every bot of everybody stops sending orders within a second."
              />
              <div class="row">
                <button class="danger" disabled={halt.isBusy}>
                  Halt all trading
                </button>
              </div>
            </Form>
            <Failure of={halt} />
            <Failure of={resume} />
          </Panel>
        </>
      )}
    </Shown>
  );
}
