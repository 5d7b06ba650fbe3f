import { describe, expect, it } from '@jest/globals';
import { VENUES, type VenueName, started } from './scene.js';

const names = Object.keys(VENUES) as VenueName[];
const LONG = 12 * 1_024 * 1_024;

describe.each(names)('an odd message of %s', (name) => {
  it.each([
    ['a text of 12 MB', `{"note":"${'x'.repeat(LONG)}"}`],
    ['a text of 12 MB of escapes', `{"note":"${'\\"'.repeat(LONG / 2)}"}`],
    ['12 MB of a text that was cut', `{"note":"${'\\"'.repeat(LONG / 2)}`],
  ])('%s is counted, and the stream goes on', async (_, text) => {
    const { stream, symbol, pass, health, said } = await started(name);
    stream.say(text);
    await pass(200);
    expect(health()?.drops).toEqual({ unreadable: 1 });
    stream.quote(symbol, { bid: '100.5', ask: '101' });
    await pass(200);
    expect(said()).toEqual(['100/101', '100.5/101']);
  });
});
