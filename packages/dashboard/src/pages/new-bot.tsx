import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { fractionOf } from '../figures/decimal-text.js';
import { dollars, quantity, words } from '../figures/format.js';
import { Check, Choice, Failure, Field, Form } from '../parts/common/form.js';
import { LimitFields, type Limits, limitsRequest } from '../parts/bots/limit-fields.js';
import { Note, Panel } from '../parts/common/panel.js';
import { Shown } from '../parts/common/shown.js';
import { SignedIn } from '../parts/common/signed-in.js';
import { useAction } from '../service/action.js';
import { useRead } from '../service/read.js';
import type { Strategy } from '../service/records.js';

/** Makes a bot by steps: what it mirrors, where, within which limits; the account is shown before anything is stored. */
export function NewBot() {
  return (
    <SignedIn>
      <Page />
    </SignedIn>
  );
}

/** What each broker asks for. */
const CREDENTIALS: Readonly<Record<string, readonly (readonly [name: string, label: string])[]>> = {
  simulated: [['starting_balance', 'Play money to start with, USD']],
  alpaca_paper: [
    ['key_id', 'Key id of your paper account'],
    ['secret_key', 'Secret key'],
  ],
  alpaca: [
    ['key_id', 'Key id'],
    ['secret_key', 'Secret key'],
  ],
  kraken: [
    ['api_key', 'API key'],
    ['private_key', 'Private key'],
  ],
  coinbase: [
    ['key_name', 'Name of the key'],
    ['private_key', 'Private key'],
  ],
};

function Page() {
  const info = useRead('service', (client) => client.getServiceInfo());
  const strategies = useRead('mirrored', async (client) => {
    const [own, followed] = await Promise.all([
      client.findStrategies({ mine: 'true', limit: 100 }),
      client.getStrategySubscriptions({ limit: 100 }),
    ]);
    const others = followed
      .filter(({ status, relation }) => status === 'active' && relation === 'subscriber')
      .map(({ strategy_id }) => strategy_id);
    const read = others.length > 0 ? await client.getStrategies({ strategy_id: others }) : [];
    return [...read, ...own].filter(({ ended_at }) => ended_at === null);
  });
  return (
    <div class="stack">
      <div>
        <h1>New bot</h1>
        <p class="quiet">Nothing is stored or traded before the last step.</p>
      </div>
      <Shown of={strategies}>
        {(all) =>
          all.length === 0 ? (
            <Note>
              A bot mirrors strategies that you follow. <a href="/">Follow one first</a>.
            </Note>
          ) : (
            <Shown of={info}>{({ brokers }) => <Steps strategies={all} brokers={brokers} />}</Shown>
          )
        }
      </Shown>
    </div>
  );
}

function Steps(props: {
  readonly strategies: readonly Strategy[];
  readonly brokers: readonly { readonly name: string; readonly live: boolean }[];
}) {
  const { strategies, brokers } = props;
  const { query, route } = useLocation();
  const [strategyId, setStrategyId] = useState(
    strategies.find(({ strategy_id }) => strategy_id === query['strategy'])?.strategy_id ??
      strategies[0]?.strategy_id ??
      '',
  );
  const [percent, setPercent] = useState('100');
  const [name, setName] = useState('');
  const [broker, setBroker] = useState(brokers[0]?.name ?? 'simulated');
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({
    starting_balance: '10000',
  });
  const [limits, setLimits] = useState<Limits>({ max_daily_loss: '0.1' });
  const [isTrial, setTrial] = useState(false);
  const isLive = brokers.find(({ name }) => name === broker)?.live ?? false;
  const asked = CREDENTIALS[broker] ?? [];
  const type = strategies.find(({ strategy_id }) => strategy_id === strategyId)?.type ?? 'stock';
  const fields = {
    name: name.trim() === '' ? null : name.trim(),
    type,
    broker,
    allocations: [{ strategy_id: strategyId, percent: fractionOf(percent) ?? percent }],
    credentials: Object.fromEntries(asked.map(([name]) => [name, secrets[name]?.trim() ?? ''])),
    limits: limitsRequest(limits),
    dry_run: isTrial,
  };
  const preview = useAction((client, request: typeof fields) => client.previewBot(request));
  const make = useAction(
    (client, request: typeof fields, options) => client.newBot(request, options),
    (bot) => route(`/bots/${bot.bot_id}`),
  );
  return (
    <Form label="New bot" onSubmit={() => void preview.run(fields)}>
      <Panel title="1. What it mirrors">
        <div class="fields">
          <Choice
            label="Strategy"
            value={strategyId}
            options={strategies.map(({ strategy_id, name }) => [strategy_id, name] as const)}
            onValue={setStrategyId}
          />
          <Field
            label="Part of the account, percent"
            inputMode="decimal"
            required
            value={percent}
            onValue={setPercent}
          />
          <Field
            label="Name of the bot"
            maxLength={50}
            placeholder="as you call it"
            value={name}
            onValue={setName}
          />
        </div>
      </Panel>
      <Panel
        title="2. Where"
        aside={
          <span class={`tag ${isLive ? 'real' : 'caution'}`}>
            {isLive ? 'REAL MONEY' : 'not real money'}
          </span>
        }
      >
        <div class="fields">
          <Choice
            label="Broker"
            value={broker}
            options={brokers.map(({ name, live }) => [
              name,
              `${words(name)}${live ? ' (real money)' : ''}`,
            ])}
            onValue={setBroker}
          />
          {asked.map(([name, label]) => (
            <Field
              key={name}
              label={label}
              required
              type={name === 'starting_balance' ? 'text' : 'password'}
              autocomplete="off"
              value={secrets[name] ?? ''}
              onValue={(value) => setSecrets({ ...secrets, [name]: value })}
            />
          ))}
        </div>
        <Check
          label="Trial: it plans on the account and sends nothing"
          checked={isTrial}
          onValue={setTrial}
        />
        <p class="small quiet">Keys are stored encrypted, and never shown again.</p>
      </Panel>
      <Panel title="3. Within which limits">
        <LimitFields
          limits={limits}
          equity={preview.answer?.account.equity ?? secrets['starting_balance']}
          onLimits={setLimits}
        />
      </Panel>
      <div class="row">
        <button class="primary" disabled={preview.isBusy}>
          Look at the account
        </button>
      </div>
      <Failure of={preview} />
      {preview.answer && (
        <Panel title="4. What it would do now">
          <p>
            {preview.answer.account.label}
            {preview.answer.account.live && <b class="down"> with real money</b>}: equity{' '}
            <b class="amount">{dollars(preview.answer.account.equity)}</b>, cash{' '}
            <span class="amount">{dollars(preview.answer.account.cash)}</span>.
          </p>
          {preview.answer.kept.length > 0 && (
            <p>{preview.answer.kept.length} holdings are kept: the bot never trades them.</p>
          )}
          {preview.answer.orders.length === 0 ? (
            <p class="quiet">It would place no order now.</p>
          ) : (
            <ul class="list">
              {preview.answer.orders.map((order) => (
                <li key={order.stock_id + order.action}>
                  <b class={order.action === 'buy' ? 'up' : 'down'}>{order.action}</b>{' '}
                  <span class="amount">{quantity(order.amount)}</span>{' '}
                  <span class="small quiet">{order.intent}</span>
                </li>
              ))}
            </ul>
          )}
          {preview.answer.warnings.map((warning) => (
            <Note key={warning} tone="caution">
              {warning}
            </Note>
          ))}
          <div class="row">
            <button
              type="button"
              class="primary"
              disabled={make.isBusy}
              onClick={() => void make.run(fields)}
            >
              Make the bot
            </button>
            <span class="small quiet">It is off until you start it.</span>
          </div>
          <Failure of={make} />
        </Panel>
      )}
    </Form>
  );
}
