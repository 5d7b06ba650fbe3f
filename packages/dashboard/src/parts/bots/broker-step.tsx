import type { ResponseOf } from '@slipstream/wire';
import { words } from '../../figures/format.js';
import { Check, Choice } from '../common/form.js';
import { Panel } from '../common/panel.js';
import { BrokerAccess, type ChosenAccess, credentialsOf } from './broker-access.js';

/** The account of a bot that is being made. */
export interface ChosenBroker extends ChosenAccess {
  readonly name: string;
  readonly isTrial: boolean;
}

/** The choice as `broker`, `credentials` and `dry_run` of a request. */
export const brokerRequest = ({ name, isTrial, ...access }: ChosenBroker) => ({
  broker: name,
  credentials: credentialsOf(name, access),
  dry_run: isTrial,
});

/** Chooses the broker and gives access to the account. */
export function BrokerStep(props: {
  readonly brokers: ResponseOf<'getServiceInfo'>['brokers'];
  readonly chosen: ChosenBroker;
  readonly onChosen: (chosen: ChosenBroker) => void;
}) {
  const { brokers, chosen, onChosen } = props;
  const found = brokers.find(({ name }) => name === chosen.name);
  return (
    <Panel
      title="2. Where"
      aside={
        <span class={`tag ${found?.live ? 'real' : 'caution'}`}>
          {found?.live ? 'REAL MONEY' : 'not real money'}
        </span>
      }
    >
      <Choice
        label="Broker"
        value={chosen.name}
        options={brokers.map(({ name, live }) => [
          name,
          `${words(name)}${live ? ' (real money)' : ''}`,
        ])}
        onValue={(name) => onChosen({ ...chosen, name, granted: null })}
      />
      <BrokerAccess
        broker={chosen.name}
        connects={found?.connects ?? false}
        access={chosen}
        onAccess={(access) => onChosen({ ...chosen, ...access })}
      />
      <Check
        label="Trial: it plans on the account and sends nothing"
        checked={chosen.isTrial}
        onValue={(isTrial) => onChosen({ ...chosen, isTrial })}
      />
      <p class="small quiet">Access is stored encrypted, and never shown again.</p>
    </Panel>
  );
}
