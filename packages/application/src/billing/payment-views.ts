import type {
  Invoice,
  PaymentDetails,
  PaymentSource,
  PaymentSourceId,
  Withdrawal,
} from '@slipstream/domain';
import type { Decimal } from '@slipstream/domain';
import type { NextAction, ReadStores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { openedIfReadable } from '../secrets/lost-key.js';

/** A payment source with its personal data, for its owner only. */
export interface PaymentSourceView {
  readonly source: PaymentSource;
  readonly details: PaymentDetails;
  /** The owner's next step; only in the answer to the addition. */
  readonly nextAction?: NextAction | null;
}

/** An invoice with the source that pays it. */
export interface InvoiceView {
  readonly invoice: Invoice;
  readonly source: PaymentSourceView;
}

/** The earnings and withdrawals of an owner; amounts in USD. */
export interface WithdrawalsView {
  readonly balance: Decimal;
  /** The maximum of newWithdrawal; negative if chargebacks took more than was left. */
  readonly settledBalance: Decimal;
  readonly withdrawals: readonly Withdrawal[];
}

const NO_DETAILS: PaymentDetails = {
  name: '',
  city: '',
  country: '',
  lineOne: '',
  lineTwo: '',
  district: '',
  postal: '',
};

/** Shown for a source whose master key was lost. */
const UNREADABLE: PaymentDetails = { ...NO_DETAILS, name: 'cannot be read any more, add it again' };

export const detailsContext = (sourceId: PaymentSourceId): string => `payment_source|${sourceId}`;

export const sealDetails = (
  { secretBox }: Pick<Core, 'secretBox'>,
  sourceId: PaymentSourceId,
  details: PaymentDetails,
): string => secretBox.seal(JSON.stringify(details), detailsContext(sourceId));

/** Decrypts the personal data; a deleted source has none. */
export function viewSource(
  { secretBox }: Pick<Core, 'secretBox'>,
  source: PaymentSource,
): PaymentSourceView {
  const { id, sealedDetails } = source;
  if (sealedDetails === null) return { source, details: NO_DETAILS };
  const plain = openedIfReadable(secretBox, sealedDetails, detailsContext(id));
  return {
    source,
    details: plain === undefined ? UNREADABLE : (JSON.parse(plain) as PaymentDetails),
  };
}

/** The invoices with their payment sources, in their order. */
export async function viewInvoices(
  core: Pick<Core, 'secretBox'>,
  { paymentSources }: Pick<ReadStores, 'paymentSources'>,
  invoices: readonly Invoice[],
): Promise<InvoiceView[]> {
  const sources = new Map<PaymentSourceId, PaymentSourceView>();
  const views: InvoiceView[] = [];
  for (const invoice of invoices) {
    let source = sources.get(invoice.sourceId);
    if (!source) {
      const found = await paymentSources.find(invoice.sourceId);
      if (!found) throw new Error(`invoice ${invoice.id} has no payment source`);
      source = viewSource(core, found);
      sources.set(invoice.sourceId, source);
    }
    views.push({ invoice, source });
  }
  return views;
}
