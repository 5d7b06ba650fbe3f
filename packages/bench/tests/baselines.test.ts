import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { alertDatabase, makeAlertDatabase } from '../src/baselines/alert-database.js';
import { makeFullDatabase, readBare } from '../src/baselines/full-database.js';
import { type Folder, newFolder } from '../src/folder.js';
import { manyStrategies } from '../src/many-strategies.js';

/** They have statements of their own: those of `full-database` speak the product's schema, which a migration may change. */
describe('the baselines fit their schema', () => {
  let folder: Folder;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => folder.remove());

  it('an alert is accepted, and the opposite one too', () => {
    const file = folder.file('alerts.db');
    makeAlertDatabase(file, 'secret', ['s1']);
    const { take, handle } = alertDatabase(file);
    const alert = { strategy_id: 's1', stock_id: 'AAPL:NASDAQ', leverage: 1, api_token: 'secret' };
    expect(take({ ...alert, action: 'buy' })).toMatchObject({
      response: { order_status: 'filled' },
    });
    expect(take({ ...alert, action: 'close' })).toMatchObject({
      response: { order_status: 'filled' },
    });
    expect(handle.prepare('SELECT count(*) FROM trades').pluck().get()).toBe(2);
    handle.close();
  });

  it('strategies are written and read', () => {
    const file = folder.file('full.db');
    makeFullDatabase(file, manyStrategies(3));
    expect(readBare(file)).toBeGreaterThanOrEqual(3);
  });
});
