import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { exactMoment } from '../../figures/format.js';
import { useAction } from '../../service/action.js';
import type { Alert } from '../../service/folds.js';
import { useChannel } from '../../service/live.js';
import { useRead } from '../../service/read.js';
import type { Strategy } from '../../service/records.js';
import { session } from '../../session/session.js';
import { DecimalField } from '../common/decimal-field.js';
import { Failure, Field, Form } from '../common/form.js';
import { More } from '../common/more.js';
import { Note, Panel } from '../common/panel.js';
import { StockField } from '../common/stock-field.js';
import { AlertWatch } from './alert-watch.js';

/** Alerts of a charting platform: the text to paste there, and the inbox of what came. */
export function AlertsPanel({ strategy }: { readonly strategy: Strategy }) {
  return (
    <Panel title="Alerts">
      <Template strategy={strategy} />
      <h3>Missing alerts</h3>
      <AlertWatch strategy={strategy} />
      <h3>Inbox</h3>
      <Inbox strategyId={strategy.strategy_id} />
    </Panel>
  );
}

function Template({ strategy }: { readonly strategy: Strategy }) {
  const [stock, setStock] = useState('');
  const [leverage, setLeverage] = useState('1');
  const [pyramiding, setPyramiding] = useState('');
  const [isCopied, setCopied] = useState(false);
  const copying = useRef<((text: string) => void) | undefined>(undefined);
  const make = useAction(
    (client, fields: { stock_id: string; leverage: string; pyramiding?: string }, options) =>
      client.newAlertTemplate({ strategy_id: strategy.strategy_id, ...fields }, options),
    (text) => copying.current?.(text),
  );
  /** Copies the text that comes. Safari lets only a press copy: the text is promised there. */
  const copy = (): void => {
    setCopied(false);
    const text = new Promise<Blob>((resolve) => {
      copying.current = (given) => resolve(new Blob([given], { type: 'text/plain' }));
    });
    navigator.clipboard?.write?.([new ClipboardItem({ 'text/plain': text })]).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <>
      <p class="small quiet">
        Make a text for your charting platform. It has a new token that can only send alerts to this
        strategy; “Account” lists it, and ends it.
      </p>
      <Form
        label="Alert template"
        onSubmit={() => {
          copy();
          void make.run({
            stock_id: stock.trim(),
            leverage: leverage.trim(),
            ...(pyramiding.trim() !== '' && { pyramiding: pyramiding.trim() }),
          });
        }}
      >
        <div class="fields">
          <StockField security={strategy.type} value={stock} onValue={setStock} />
          <DecimalField
            label="Leverage"
            required
            value={leverage}
            onValue={setLeverage}
            hint="1 is the whole value, 2 the most."
          />
          <Field
            label="Steps"
            inputMode="numeric"
            value={pyramiding}
            onValue={setPyramiding}
            hint="Alerts until the position is whole; 1 if empty."
          />
        </div>
        <div class="row">
          <button class="primary" aria-disabled={make.isBusy}>
            Make and copy
          </button>
        </div>
      </Form>
      <Failure of={make} />
      {make.answer !== undefined && (
        <>
          <Note tone="good">
            {isCopied ? 'Copied. ' : 'Select and copy it. '}The token in it is shown only now. Paste
            it into the message of an alert, with the address {location.origin}/newOrderWebhook.
          </Note>
          <pre tabIndex={0} aria-label="The alert's text">
            {make.answer}
          </pre>
        </>
      )}
    </>
  );
}

const TONES: Readonly<Record<string, string>> = { accepted: 'good', refused: 'bad' };

/** What an alert asked for, in words; its body when it is no such text. */
function sentenceOf({ body }: Alert): string {
  if (body === null) return 'Alert without a text';
  try {
    const given = JSON.parse(body) as Record<string, unknown>;
    const word = (name: string): string => {
      const field = given[name];
      return typeof field === 'string' || typeof field === 'number' ? String(field) : '';
    };
    const parts = [word('action'), word('stock_id')];
    if (word('leverage') !== '') parts.push(`× ${word('leverage')}`);
    if (word('pyramiding') !== '')
      parts.push(`in ${word('pyramiding')} ${word('pyramiding') === '1' ? 'step' : 'steps'}`);
    return parts.filter((part) => part !== '').join(' ') || body.slice(0, 200);
  } catch {
    return body.slice(0, 200);
  }
}

/** How many alerts are shown at first, and at most: the page keeps no more. */
const [FEW, MOST] = [10, 100];

/** The alerts that came, newest first: of one strategy, or all of the reader's. */
export function Inbox({ strategyId }: { readonly strategyId?: string }) {
  const kind = strategyId === undefined ? 'wsUserAlerts' : 'wsAlerts';
  const { data, ended } = useChannel(kind, strategyId ?? session.value?.userId).value;
  const [limit, setLimit] = useState(FEW);
  const shown = data?.slice(0, limit);
  const all = shown?.flatMap(({ strategy_id }) => strategy_id ?? []) ?? [];
  const named = strategyId === undefined ? [...new Set(all)].sort() : [];
  const strategies = useRead(named.length > 0 ? `named ${named.join(' ')}` : null, (client) =>
    client.getStrategies({ strategy_id: named }),
  );
  const nameOf = (id: string): string =>
    strategies.data?.find(({ strategy_id }) => strategy_id === id)?.name ?? 'Strategy';
  return (
    <>
      {ended !== undefined && <p class="quiet">{ended}</p>}
      {data === undefined && ended === undefined && <p class="placeholder">Reading…</p>}
      {data?.length === 0 && (
        <p class="quiet">
          No alert came yet.{' '}
          {strategyId === undefined ? (
            <>
              <a href="/my-strategies">A strategy of yours</a> makes a text for your charting
              platform on its page.
            </>
          ) : (
            'Make a text above, paste it into your charting platform, and look here.'
          )}
        </p>
      )}
      {data !== undefined && data.length > 0 && (
        <ul class="list" aria-label="Alerts">
          {shown?.map((alert) => (
            <Row key={alert.inbox_id} alert={alert}>
              {strategyId === undefined && alert.strategy_id !== null && (
                <a class="small" href={`/strategies/${alert.strategy_id}`}>
                  {nameOf(alert.strategy_id)}
                </a>
              )}
            </Row>
          ))}
        </ul>
      )}
      <More
        is={data !== undefined && data.length >= Math.min(limit + 1, MOST)}
        onMore={limit < MOST && (() => setLimit(MOST))}
        said={`The latest ${MOST}.`}
      />
    </>
  );
}

/** An alert: verdict, sentence and reason; among those of several strategies, which it was for. */
const Row = ({
  alert,
  children,
}: {
  readonly alert: Alert;
  readonly children: ComponentChildren;
}) => (
  <li>
    <div class="row ends">
      <span class="row">
        <span class={`tag ${TONES[alert.verdict] ?? ''}`}>
          {alert.verdict.replaceAll('_', ' ')}
        </span>
        <span>{sentenceOf(alert)}</span>
      </span>
      <span class="small quiet">{exactMoment(alert.received_at)}</span>
    </div>
    {children}
    {alert.reason !== null && <p class="small quiet">{alert.reason}</p>}
    <details>
      <summary class="small">What came</summary>
      <pre tabIndex={0}>{alert.body ?? 'No text.'}</pre>
    </details>
  </li>
);
