import type { ResponseOf } from '@slipstream/wire';
import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { changedOf } from '../figures/changed.js';
import { fractionOf } from '../figures/decimal-text.js';
import { DecimalField } from '../parts/common/decimal-field.js';
import { Choice, Failure, Field, Form } from '../parts/common/form.js';
import { BotPreview } from '../parts/bots/bot-preview.js';
import { BrokerStep, type ChosenBroker, brokerRequest } from '../parts/bots/broker-step.js';
import {
  LimitFields,
  type Limits,
  limitsAtStart,
  limitsRequest,
} from '../parts/bots/limit-fields.js';
import { Note, Panel } from '../parts/common/panel.js';
import { Shown } from '../parts/common/shown.js';
import { SignedIn } from '../parts/common/signed-in.js';
import { useAction } from '../service/action.js';
import { followedStrategies, ownStrategies } from '../figures/all-pages.js';
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

function Page() {
  const info = useRead('service', (client) => client.getServiceInfo());
  const strategies = useRead('mirrored', async (client) => {
    const [own, followed] = await Promise.all([
      ownStrategies(client),
      followedStrategies(client, 'active'),
    ]);
    return [...followed, ...own].filter(({ ended_at }) => ended_at === null);
  });
  return (
    <div class="stack">
      <div>
        <h1>New bot</h1>
        <p class="quiet">Nothing is stored or traded before the last step.</p>
      </div>
      <Shown of={strategies} what="the strategies">
        {(all) =>
          all.length === 0 ? (
            <Note>
              A bot mirrors strategies that you follow. <a href="/">Follow one first</a>.
            </Note>
          ) : (
            <Shown of={info} what="the brokers">
              {({ brokers }) => <Steps strategies={all} brokers={brokers} />}
            </Shown>
          )
        }
      </Shown>
    </div>
  );
}

function Steps(props: {
  readonly strategies: readonly Strategy[];
  readonly brokers: ResponseOf<'getServiceInfo'>['brokers'];
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
  const [chosen, setChosen] = useState<ChosenBroker>({
    name: brokers[0]?.name ?? 'simulated',
    secrets: { starting_balance: '10000' },
    granted: null,
    isTrial: false,
  });
  const [edited, setEdited] = useState<Limits>({});
  const isLive = brokers.find(({ name }) => name === chosen.name)?.live ?? false;
  const limits = { ...limitsAtStart(isLive), ...edited };
  const type = strategies.find(({ strategy_id }) => strategy_id === strategyId)?.type ?? 'stock';
  const fields = {
    name: name.trim() === '' ? null : name.trim(),
    type,
    ...brokerRequest(chosen),
    allocations: [{ strategy_id: strategyId, percent: fractionOf(percent) ?? percent }],
    limits: limitsRequest(limits),
  };
  const preview = useAction((client, request: typeof fields) => client.previewBot(request));
  const make = useAction(
    (client, request: typeof fields, options) => client.newBot(request, options),
    (bot) => route(`/bots/${bot.bot_id}`),
  );
  return (
    <Form label="New bot" onSubmit={() => void preview.run(fields)}>
      <div class="stack" onInput={preview.reset}>
        <Panel title="1. What it mirrors">
          <Choice
            label="Strategy"
            value={strategyId}
            options={strategies.map(({ strategy_id, name }) => [strategy_id, name] as const)}
            onValue={setStrategyId}
          />
          <div class="fields">
            <DecimalField
              label="Part of the account, percent"
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
        <BrokerStep brokers={brokers} chosen={chosen} onChosen={setChosen} />
        <Panel title="3. Within which limits">
          <LimitFields
            limits={limits}
            equity={preview.answer?.account.equity ?? chosen.secrets['starting_balance']}
            onLimits={(next) => setEdited({ ...edited, ...changedOf<Limits>(limits, next) })}
          />
        </Panel>
      </div>
      <div class="row">
        <button class="primary" aria-disabled={preview.isBusy}>
          Look at the account
        </button>
      </div>
      <Failure of={preview} />
      {preview.answer && (
        <Panel title="4. What it would do now">
          <BotPreview of={preview} />
          <div class="row">
            <button
              type="button"
              class="primary"
              aria-disabled={make.isBusy}
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
