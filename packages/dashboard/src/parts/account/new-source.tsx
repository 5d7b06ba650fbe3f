import type { ResponseOf } from '@slipstream/wire';
import { useState } from 'preact/hooks';
import { useAction } from '../../service/action.js';
import { useRead } from '../../service/read.js';
import { type Proof, ProvenFailure, useProof } from '../common/credentials.js';
import { Check, Choice, Field, Form } from '../common/form.js';
import { Note } from '../common/panel.js';

// oxfmt-ignore
const DETAILS = [
  ['name', 'Name', true, 'name'],
  ['line_one', 'Street', true, 'address-line1'],
  ['line_two', 'More of the address', false, 'address-line2'],
  ['postal', 'Postal code', true, 'postal-code'],
  ['city', 'City', true, 'address-level2'],
  ['district', 'State or district', false, 'address-level1'],
  ['country', 'Country', true, 'country-name'],
] as const;
type Detail = (typeof DETAILS)[number][0];
type Details = Readonly<Record<Detail, string>>;
const EMPTY: Details = {
  ...{ name: '', line_one: '', line_two: '', postal: '', city: '', district: '', country: '' },
};

type Source = ResponseOf<'newPaymentSource'>;

interface Fields extends Details, Partial<Proof> {
  readonly token: string;
  readonly direction: 'in' | 'out';
  readonly primary: boolean;
}

/** Adds a card, or an account for payouts. Numbers of cards never come here: the gateway gives a name for them. */
export function NewSource(props: {
  readonly onMade: (source: Source) => void;
  readonly onFailed: () => void;
}) {
  const info = useRead('service', (client) => client.getServiceInfo());
  const [direction, setDirection] = useState<'in' | 'out'>('in');
  const [isPrimary, setPrimary] = useState(true);
  const [token, setToken] = useState('');
  const [details, setDetails] = useState<Details>(EMPTY);
  const proof = useProof();
  const isSimulated = info.data?.payments === 'simulated';
  const simulated = direction === 'in' ? 'test_card_paid' : 'test_bank';
  const add = useAction(
    (client, fields: Fields, options) => client.newPaymentSource(fields, options),
    props.onMade,
    props.onFailed,
    ({ password: _, totp: __, ...source }) => source,
  );
  return (
    <Form
      label="New card or payout account"
      onSubmit={() =>
        void add.run({
          ...details,
          token: isSimulated && token === '' ? simulated : token.trim(),
          direction,
          primary: isPrimary,
          ...(direction === 'out' && proof.proof),
        })
      }
    >
      <Choice
        label="It"
        value={direction}
        options={[
          ['in', 'pays for what I follow'],
          ['out', 'gets what I earn'],
        ]}
        onValue={setDirection}
      />
      <div class="fields">
        <Field
          label={isSimulated ? 'Name at the simulated gateway' : 'Name at the payment gateway'}
          required={!isSimulated}
          placeholder={isSimulated ? simulated : 'pm_… or acct_…'}
          value={token}
          onValue={setToken}
          hint={isSimulated && 'Payments are simulated: leave it empty for a card that works.'}
        />
        {DETAILS.map(([name, label, isRequired, autocomplete]) => (
          <Field
            key={name}
            label={label}
            required={isRequired}
            autocomplete={autocomplete}
            value={details[name]}
            onValue={(value) => setDetails({ ...details, [name]: value })}
          />
        ))}
        {direction === 'out' && proof.fields}
      </div>
      <Check
        label={
          direction === 'in' ? 'It is charged from now on' : 'Withdrawals go to it from now on'
        }
        checked={isPrimary}
        onValue={setPrimary}
      />
      {direction === 'out' && (
        <p class="small quiet">
          A new payout account waits three days, and a mail tells you of it. If withdrawals go to
          it, none can be made until then.
        </p>
      )}
      <div class="row">
        <button class="primary" aria-disabled={add.isBusy}>
          Add it
        </button>
      </div>
      <ProvenFailure of={add} />
      {add.answer && add.answer.status !== 'active' && (
        <Note tone="caution">
          Your bank wants you to confirm it.{' '}
          {add.answer.next_action?.url?.startsWith('https://') && (
            <a href={add.answer.next_action.url} rel="noreferrer" target="_blank">
              Confirm it there
            </a>
          )}
        </Note>
      )}
    </Form>
  );
}
