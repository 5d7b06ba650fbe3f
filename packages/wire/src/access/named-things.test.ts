import { describe, it, expect } from '@jest/globals';
import { namedThings } from './named-things.js';

const ONE = '01920000-0000-7000-8000-000000000001';
const TWO = '01920000-0000-7000-8000-000000000002';

describe('the ids in a request', () => {
  it.each<[unknown, string[]]>([
    [{ strategy_id: ONE, name: 'x' }, [`strategy:${ONE}`]],
    [{ strategy_id: [ONE, TWO] }, [`strategy:${ONE}`, `strategy:${TWO}`]],
    [{ strategy_ids: [ONE], token_id: TWO }, [`strategy:${ONE}`, `token:${TWO}`]],
    [{ invited_user_ids: [ONE] }, [`invited_user:${ONE}`]],
    [{ stock_id: 'AAPL:NASDAQ', size: { order_id: ONE } }, []],
    [{ strategy_id: 7, _id: ONE }, []],
    [null, []],
    ['text', []],
  ])('of %j is %j', (request, things) => {
    expect(namedThings(request)).toEqual(things);
  });

  it('excludes text that does not look like an id', () => {
    expect(namedThings({ strategy_id: 'slpa_0123456789abcdefghijklmnopqrstuvABCDEF' })).toEqual([]);
  });
});
