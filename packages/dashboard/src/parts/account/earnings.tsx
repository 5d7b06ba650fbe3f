import type { ResponseOf } from '@slipstream/wire';
import { useState } from 'preact/hooks';
import { day, dollars } from '../../figures/format.js';
import { useAction } from '../../service/action.js';
import { allEarnings } from '../../figures/all-pages.js';
import { useRead } from '../../service/read.js';
import { type Proof, ProvenFailure, useProof } from '../common/credentials.js';
import { Figure, Figures } from '../common/figure.js';
import { DecimalField } from '../common/decimal-field.js';
import { Confirmed } from '../common/confirmed.js';
import { Failure, Form } from '../common/form.js';
import { Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { type Column, Table, Unseen } from '../common/table.js';

type Withdrawal = ResponseOf<'getWithdrawals'>['withdrawals'][number];

/** What the reader's followers paid, and withdrawals of it. */
export function EarningsPanel() {
  const earnings = useRead('earnings', allEarnings, 60_000);
  const [amount, setAmount] = useState('');
  const proof = useProof();
  const [isSure, setSure] = useState(false);
  const withdraw = useAction(
    (client, fields: Proof & { readonly amount: string }, options) =>
      client.newWithdrawal(fields, options),
    () => {
      setSure(false);
      proof.clear();
      earnings.again();
    },
    earnings.again,
    (fields) => fields.amount,
  );
  const cancel = useAction(
    (client, withdrawal_id: string, options) => client.deleteWithdrawal({ withdrawal_id }, options),
    earnings.again,
    earnings.again,
  );
  const columns: readonly Column<Withdrawal>[] = [
    { name: 'Day', what: 'day', class: 'small', cell: (one) => day(one.created_at) },
    {
      name: 'Amount',
      what: 'withdrawal_amount',
      isNumber: true,
      class: 'amount',
      cell: (one) => dollars(one.amount),
    },
    {
      name: 'State',
      what: 'status',
      cell: ({ status, reason }) => [status, reason].filter(Boolean).join(': '),
    },
    {
      name: <Unseen>Cancel</Unseen>,
      what: null,
      cell: (one) =>
        one.status === 'pending' && (
          <Confirmed
            label="Cancel"
            confirm="Cancel it"
            consequence={
              <>
                <span class="amount">{dollars(one.amount)}</span> go back to your balance and are
                not paid out.
              </>
            }
            isBusy={cancel.isBusy}
            onConfirm={() => cancel.run(one.withdrawal_id)}
          />
        ),
    },
  ];
  return (
    <Panel title="Earnings and withdrawals">
      <Shown of={earnings} what="the earnings" height="15rem">
        {({ balance, settled_balance: settled, withdrawals }) => (
          <>
            <Figures>
              <Figure label="Balance" what="balance">
                <span class="amount">{dollars(balance)}</span>
              </Figure>
              <Figure label="Can be withdrawn" what="settled_balance">
                <span class="amount">{dollars(settled)}</span>
              </Figure>
            </Figures>
            <Form label="Withdraw" onSubmit={() => setSure(true)}>
              <div class="fields">
                <DecimalField
                  label="Withdraw, USD"
                  pattern="\d+(\.\d{1,2})?"
                  title="An amount in dollars, for example 25.50."
                  isAmount
                  required
                  value={amount}
                  onValue={setAmount}
                />
                {proof.fields}
              </div>
              <Confirmed
                label="Withdraw"
                confirm="Pay it out"
                consequence={
                  <>
                    <span class="amount">{dollars(amount)}</span> go to your primary payout account
                    in an hour. Until then you can cancel it.
                  </>
                }
                isSubmit
                isOpen={isSure}
                onOpen={setSure}
                isBusy={withdraw.isBusy}
                onConfirm={() => withdraw.run({ amount: amount.trim(), ...proof.proof })}
              />
            </Form>
            <ProvenFailure of={withdraw} />
            <Table
              label="Withdrawals"
              columns={columns}
              rows={withdrawals}
              keyOf={({ withdrawal_id }) => withdrawal_id}
              record={(withdrawal) => ({ ...withdrawal })}
              empty="No withdrawals yet."
            />
            <Failure of={cancel} />
          </>
        )}
      </Shown>
    </Panel>
  );
}
