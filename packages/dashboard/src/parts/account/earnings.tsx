import { useState } from 'preact/hooks';
import { day, dollars } from '../../figures/format.js';
import { useAction } from '../../service/action.js';
import { useRead } from '../../service/read.js';
import { Failure, Field, Form } from '../common/form.js';
import { Figure, Figures } from '../common/figure.js';
import { Note, Panel, Scroll } from '../common/panel.js';
import { Shown } from '../common/shown.js';

interface Fields {
  readonly amount: string;
  readonly password: string;
  readonly totp?: string;
}

/** What the reader's followers paid, and withdrawals of it. */
export function EarningsPanel() {
  const earnings = useRead('earnings', (client) => client.getWithdrawals({ limit: 25 }));
  const [amount, setAmount] = useState('');
  const [password, setPassword] = useState('');
  const [totp, setTotp] = useState('');
  const [isSure, setSure] = useState(false);
  const withdraw = useAction(
    (client, fields: Fields, options) => client.newWithdrawal(fields, options),
    () => {
      setSure(false);
      setPassword('');
      earnings.again();
    },
  );
  const cancel = useAction(
    (client, withdrawal_id: string, options) => client.deleteWithdrawal({ withdrawal_id }, options),
    earnings.again,
  );
  return (
    <Panel title="Earnings and withdrawals">
      <Shown of={earnings} height="8rem">
        {({ balance, settled_balance: settled, withdrawals }) => (
          <>
            <Figures>
              <Figure
                label="Balance"
                what="All earnings after commission, refunds and withdrawals."
              >
                <span class="amount">{dollars(balance)}</span>
              </Figure>
              <Figure
                label="Can be withdrawn"
                what="A month settles seven days after its end, when it can no longer be refunded."
              >
                <span class="amount">{dollars(settled)}</span>
              </Figure>
            </Figures>
            <Form label="Withdraw" onSubmit={() => setSure(true)}>
              <div class="fields">
                <Field
                  label="Withdraw, USD"
                  inputMode="decimal"
                  required
                  value={amount}
                  onValue={setAmount}
                />
                <Field
                  label="Your password"
                  type="password"
                  autocomplete="current-password"
                  required
                  value={password}
                  onValue={setPassword}
                />
                <Field
                  label="Code, if the second factor is on"
                  autocomplete="one-time-code"
                  value={totp}
                  onValue={setTotp}
                />
              </div>
              <div class="row">
                <button>Withdraw</button>
              </div>
            </Form>
            {isSure && (
              <Note tone="caution">
                <p>
                  ${amount} go to your primary payout account in an hour. Until then you can cancel
                  it.
                </p>
                <div class="row">
                  <button
                    type="button"
                    class="primary"
                    disabled={withdraw.isBusy}
                    onClick={() =>
                      void withdraw.run({
                        amount: amount.trim(),
                        password,
                        ...(totp !== '' && { totp }),
                      })
                    }
                  >
                    Pay it out
                  </button>
                  <button type="button" onClick={() => setSure(false)}>
                    Not now
                  </button>
                </div>
              </Note>
            )}
            <Failure of={withdraw} />
            {withdrawals.length > 0 && (
              <Scroll label="Withdrawals">
                <table>
                  <tbody>
                    {withdrawals.map((one) => (
                      <tr key={one.withdrawal_id}>
                        <td class="small">{day(one.created_at)}</td>
                        <td class="number amount">{dollars(one.amount)}</td>
                        <td>
                          {one.status} {one.reason}
                        </td>
                        <td>
                          {one.status === 'pending' && (
                            <button
                              type="button"
                              disabled={cancel.isBusy}
                              onClick={() => void cancel.run(one.withdrawal_id)}
                            >
                              Cancel
                            </button>
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scroll>
            )}
            <Failure of={cancel} />
          </>
        )}
      </Shown>
    </Panel>
  );
}
