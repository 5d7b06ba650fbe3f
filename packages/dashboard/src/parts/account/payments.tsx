import { useState } from 'preact/hooks';
import { day, dollars } from '../../figures/format.js';
import { useAction } from '../../service/action.js';
import { useRead } from '../../service/read.js';
import { Download } from '../common/download.js';
import { Check, Failure } from '../common/form.js';
import { Note, Panel, Scroll } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { NewSource } from './new-source.js';

/** Cards, payout accounts and invoices. */
export function PaymentsPanel() {
  const sources = useRead('sources', (client) => client.getPaymentSources());
  const invoices = useRead('invoices', (client) => client.getInvoices({ limit: 25 }));
  const [isAdding, setAdding] = useState(false);
  const remove = useAction(
    (client, source_id: string, options) => client.deletePaymentSource({ source_id }, options),
    sources.again,
  );
  const retry = useAction(
    (client, invoice_id: string, options) => client.retryInvoice({ invoice_id }, options),
    invoices.again,
  );
  return (
    <Panel
      title="Payments"
      aside={
        <Download
          label="Invoices as CSV"
          name="invoices.csv"
          ask={(client) => client.getInvoices({ format: 'csv' })}
        />
      }
    >
      <div id="payments" />
      <Shown of={sources} height="4rem">
        {(all) => (
          <ul class="list" aria-label="Cards and payout accounts">
            {all.length === 0 && <li class="quiet">No card yet. Paid strategies need one.</li>}
            {all.map((source) => (
              <li key={source.source_id} class="row ends">
                <span>
                  {source.description}{' '}
                  <span class="tag">{source.direction === 'in' ? 'pays' : 'is paid'}</span>{' '}
                  {source.primary && <span class="tag good">primary</span>}{' '}
                  {source.status !== 'active' && <span class="tag caution">{source.status}</span>}
                </span>
                <button
                  type="button"
                  disabled={remove.isBusy}
                  onClick={() => void remove.run(source.source_id)}
                >
                  Remove
                </button>
              </li>
            ))}
          </ul>
        )}
      </Shown>
      <Failure of={remove} />
      <Check label="Add a card or a payout account" checked={isAdding} onValue={setAdding} />
      {isAdding && (
        <NewSource
          onMade={() => {
            setAdding(false);
            sources.again();
          }}
        />
      )}
      <h3>Invoices</h3>
      <Shown of={invoices} height="4rem">
        {(all) =>
          all.length === 0 ? (
            <p class="quiet">No invoices.</p>
          ) : (
            <Scroll label="Invoices">
              <table>
                <tbody>
                  {all.map((invoice) => (
                    <tr key={invoice.invoice_id}>
                      <td class="small">{day(invoice.created_at)}</td>
                      <td>
                        {invoice.description}
                        {invoice.reason !== null && <div class="small down">{invoice.reason}</div>}
                      </td>
                      <td class="number amount">
                        {dollars(invoice.amount)}
                        {invoice.amount_refunded !== '0' && (
                          <div class="small quiet">{dollars(invoice.amount_refunded)} back</div>
                        )}
                      </td>
                      <td>
                        {invoice.status}{' '}
                        {invoice.retryable && (
                          <button
                            type="button"
                            disabled={retry.isBusy}
                            onClick={() => void retry.run(invoice.invoice_id)}
                          >
                            Pay {dollars(invoice.amount)} now
                          </button>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          )
        }
      </Shown>
      <Failure of={retry} />
      {retry.answer && <Note tone="good">Tried again: {retry.answer.status}.</Note>}
    </Panel>
  );
}
