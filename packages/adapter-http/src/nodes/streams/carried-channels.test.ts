import { describe, expect, it } from '@jest/globals';
import { CarriedChannels } from './carried-channels.js';

const [ORDERS, VALUE] = ['wsOrders:s', 'wsStrategyValue:s'];
const frame = (channel: string, event: string, version: number, data: unknown = 'ä'): Buffer =>
  Buffer.from(JSON.stringify({ channel, event, version, at: '', data }));
const subscribed = (): CarriedChannels => {
  const channels = new CarriedChannels();
  channels.learn({ action: 'subscribe', channels: [ORDERS, VALUE] });
  return channels;
};

describe('the channels of a client over several nodes', () => {
  it('pass events on as they are while the first node serves', () => {
    const event = frame(VALUE, 'changed', 3);
    expect(subscribed().told(event)).toBe(event);
  });

  it('leave answers alone', () => {
    expect(subscribed().told(Buffer.from('{"id":"1","success":true}'))).toBeUndefined();
  });

  it('are told to the next node with the version of orders, which goes on after it', () => {
    const channels = subscribed();
    channels.told(frame(ORDERS, 'snapshot', 7));
    channels.told(frame(ORDERS, 'opened', 9));
    channels.told(frame(VALUE, 'snapshot', 4));
    channels.cut();
    expect(channels.frames()).toEqual([
      { action: 'subscribe', channels: [ORDERS, VALUE], after: { [ORDERS]: 9 } },
    ]);
  });

  it('ask again for a version amid whose events the first node ended, and pass on what is new of it', () => {
    const channels = subscribed();
    channels.told(frame(ORDERS, 'snapshot', 7));
    channels.told(frame(ORDERS, 'opened', 9));
    channels.cut();
    expect(channels.frames()).toMatchObject([{ after: { [ORDERS]: 8 } }]);
    expect(channels.told(frame(ORDERS, 'opened', 9))).toBe('again');
    const next = frame(ORDERS, 'filled', 9);
    expect(channels.told(next)).toBe(next);
    channels.interrupted();
    channels.cut();
    expect(channels.frames()).toMatchObject([{ after: { [ORDERS]: 9 } }]);
  });

  it('are told without a version before their first event, and not at all when they ended or were left', () => {
    const channels = subscribed();
    expect(channels.frames()).toEqual([
      { action: 'subscribe', channels: [ORDERS, VALUE], after: {} },
    ]);
    channels.told(frame(ORDERS, 'ended', 0));
    channels.learn({ action: 'unsubscribe', channels: [VALUE] });
    expect(channels.frames()).toEqual([]);
  });

  it('count their events on over every node; the versions of orders are those of the book', () => {
    const channels = subscribed();
    const told = (channel: string, event: string, version: number): unknown =>
      JSON.parse(String(channels.told(frame(channel, event, version))));
    told(VALUE, 'snapshot', 4);
    told(ORDERS, 'opened', 12);
    told(VALUE, 'changed', 5);
    channels.cut();
    expect(told(VALUE, 'snapshot', 0)).toEqual(JSON.parse(String(frame(VALUE, 'snapshot', 5))));
    expect(told(VALUE, 'changed', 2)).toMatchObject({ version: 7, data: 'ä' });
    expect(told(ORDERS, 'opened', 13)).toMatchObject({ version: 13 });
    channels.cut();
    expect(told(VALUE, 'snapshot', 1)).toMatchObject({ version: 8 });
  });
});
