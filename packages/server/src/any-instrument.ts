import { type Security, type TradedInstrument, ZERO, id } from '@slipstream/domain';

/** An instrument of that type, for what is the same for all of them: the sessions of their exchanges. */
export const anyInstrument = (security: Security): TradedInstrument => ({
  ...{ id: id<'stock'>('any'), symbol: '', security, exchange: 'NYSE' },
  ...{ slippage: ZERO, fee: ZERO, status: 'active' },
});
