import { DecimalField } from '../common/decimal-field.js';
import { Field } from '../common/form.js';
import { ConnectBroker, type Granted } from './connect-broker.js';

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

/** What opens an account: keys by the names of the broker's fields, or a connection instead. */
export interface ChosenAccess {
  readonly secrets: Readonly<Record<string, string>>;
  readonly granted: Granted | null;
}

/** The access as `credentials` of a request. */
export function credentialsOf(
  broker: string,
  { secrets, granted }: ChosenAccess,
): Readonly<Record<string, string>> {
  if (granted) return { connection_id: granted.connection_id };
  const asked = CREDENTIALS[broker] ?? [];
  return Object.fromEntries(asked.map(([field]) => [field, secrets[field]?.trim() ?? '']));
}

/** Takes the keys of an account, or connects it on the broker's own page. */
export function BrokerAccess(props: {
  readonly broker: string;
  /** Whether the broker has such a page. */
  readonly connects: boolean;
  readonly access: ChosenAccess;
  readonly onAccess: (access: ChosenAccess) => void;
}) {
  const { broker, access, onAccess } = props;
  const { secrets, granted } = access;
  const asked = granted ? [] : (CREDENTIALS[broker] ?? []);
  return (
    <>
      {asked.length > 0 && (
        <div class="fields">
          {asked.map(([name, label]) => {
            const isSecret = name !== 'starting_balance';
            const Kind = isSecret ? Field : DecimalField;
            return (
              <Kind
                key={name}
                label={label}
                required
                type={isSecret ? 'password' : 'text'}
                autocomplete="off"
                value={secrets[name] ?? ''}
                onValue={(value) => onAccess({ ...access, secrets: { ...secrets, [name]: value } })}
              />
            );
          })}
        </div>
      )}
      {props.connects && (
        <ConnectBroker
          key={broker}
          broker={broker}
          granted={granted}
          onGranted={(account) => onAccess({ ...access, granted: account })}
        />
      )}
    </>
  );
}
