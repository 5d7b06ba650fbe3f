import type { ResponseOf } from '@slipstream/wire';
import { useEffect, useRef, useState } from 'preact/hooks';
import { day, dollars } from '../../figures/format.js';
import { useAction } from '../../service/action.js';
import { useRead } from '../../service/read.js';
import { Download } from '../common/download.js';
import { Confirmed } from '../common/confirmed.js';
import { Check, Failure } from '../common/form.js';
import { More } from '../common/more.js';
import { Note, Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { type Column, Table } from '../common/table.js';
import { NewSource } from './new-source.js';

type Source = ResponseOf<'getPaymentSources'>[number];
type Invoice = ResponseOf<'getInvoices'>[number];

/** What the removal of a card or of a payout account does. */
const consequenceOf = ({ direction, primary, description }: Source): string => {
  const gone = `Name and address of “${description}” are deleted here at once; invoices still show it.`;
  const next = primary
    ? {
        in: 'Your newest other card is charged from then on. Without another one, renewals of paid strategies fail.',
        out: 'Your newest other payout account is paid from then on. Without another one you cannot withdraw, and a new one waits three days.',
      }
    : {
        in: 'Your primary card is charged as before.',
        out: 'Your primary payout account is paid as before.',
      };
  return `${gone} ${next[direction]}`;
};

/** The most invoices on the page. */
const SHOWN = 100;

/** Cards, payout accounts and invoices. */
export function PaymentsPanel() {
  // A card that waits for its bank becomes active by itself.
  const sources = useRead('sources', (client) => client.getPaymentSources(), 15_000);
  const invoices = useRead('invoices', (client) => client.getInvoices({ limit: SHOWN }), 60_000);
  const [isAdding, setAdding] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  // Links of other pages lead here, and what is above had to be read before.
  useEffect(() => {
    if (sources.isAnswered && location.hash === '#payments') place.current?.focus();
  }, [sources.isAnswered]);
  const remove = useAction(
    (client, source_id: string, options) => client.deletePaymentSource({ source_id }, options),
    sources.again,
    sources.again,
  );
  const retry = useAction(
    (client, invoice_id: string, options) => client.retryInvoice({ invoice_id }, options),
    invoices.again,
    invoices.again,
  );
  const columns: readonly Column<Invoice>[] = [
    { name: 'Day', what: 'day', class: 'small', cell: (invoice) => day(invoice.created_at) },
    {
      name: 'For',
      what: 'invoice',
      cell: ({ description, reason }) => (
        <>
          {description}
          {reason !== null && <div class="small down">{reason}</div>}
        </>
      ),
    },
    {
      name: 'Amount',
      what: 'invoice_amount',
      isNumber: true,
      class: 'amount',
      cell: ({ amount, amount_refunded: back }) => (
        <>
          {dollars(amount)}
          {back !== '0' && <div class="small quiet">{dollars(back)} back</div>}
        </>
      ),
    },
    {
      name: 'State',
      what: 'status',
      cell: (invoice) => (
        <>
          {invoice.status}{' '}
          {invoice.retryable && (
            <Confirmed
              label={`Pay ${dollars(invoice.amount)} now`}
              confirm="Pay it now"
              consequence={`${dollars(invoice.amount)} for “${invoice.description}” are charged to your primary card now.`}
              isBusy={retry.isBusy}
              onConfirm={() => retry.run(invoice.invoice_id)}
            />
          )}
        </>
      ),
    },
  ];
  return (
    <Panel
      title="Payments"
      aside={
        <Download
          label="Invoices as CSV"
          name="invoices.csv"
          id="invoice_id"
          ask={(client, page) => client.getInvoices({ format: 'csv', ...page })}
        />
      }
    >
      <div id="payments" ref={place} tabIndex={-1} />
      <Shown of={sources} what="the cards" height="4rem">
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
                <Confirmed
                  label="Remove"
                  confirm="Remove it"
                  consequence={consequenceOf(source)}
                  isBusy={remove.isBusy}
                  onConfirm={() => remove.run(source.source_id)}
                  isDanger
                />
              </li>
            ))}
          </ul>
        )}
      </Shown>
      <Failure of={remove} />
      <Check label="Add a card or a payout account" checked={isAdding} onValue={setAdding} />
      {isAdding && (
        <NewSource
          onFailed={sources.again}
          onMade={({ status }) => {
            setAdding(status !== 'active');
            sources.again();
          }}
        />
      )}
      <h3>Invoices</h3>
      <Shown of={invoices} what="the invoices" height="4rem">
        {(all) => (
          <>
            <Table
              label="Invoices"
              columns={columns}
              rows={all}
              keyOf={({ invoice_id }) => invoice_id}
              record={null}
              empty="No invoices. They come with the first strategy that you pay for."
            />
            <More is={all.length === SHOWN} said={`The latest ${SHOWN}. The file has all.`} />
          </>
        )}
      </Shown>
      <Failure of={retry} />
      {retry.answer && (
        <Note tone={retry.answer.status === 'paid' ? 'good' : 'caution'}>
          Tried again: {retry.answer.status}.
        </Note>
      )}
    </Panel>
  );
}
