import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Notification, id } from '@slipstream/domain';
import type { Event } from '@slipstream/ports';
import { serve } from './harness.js';

let live: Awaited<ReturnType<typeof serve>>;
beforeEach(async () => {
  live = await serve();
});
afterEach(() => live.stop());

const added = (name: string, userId: string): Event => {
  const notification: Notification = {
    id: id(name),
    userId: id(userId),
    type: 'like',
    text: 'hello',
    strategyId: null,
    botId: null,
    postId: null,
    actorId: id('bob'),
    createdAt: 1000,
    readAt: null,
  };
  return { kind: 'notification_added', notification, at: 1000 };
};

describe('notifications', () => {
  it('begin with the latest and continue with new ones', async () => {
    const client = await live.connect('ada');
    const [snapshot] = await client.subscribe('wsNotifications:ada');
    expect(snapshot).toMatchObject({ event: 'snapshot', version: 0, data: [] });
    live.publish(added('n1', 'ada'));
    live.publish(added('other', 'bob'));
    live.publish(added('n2', 'ada'));
    const received = await client.settle();
    expect(received).toMatchObject([
      {
        channel: 'wsNotifications:ada',
        event: 'added',
        version: 1,
        data: { notification_id: 'n1' },
      },
      { event: 'added', version: 2, data: { notification_id: 'n2', type: 'like', read_at: null } },
    ]);
    expect(JSON.stringify(received)).not.toContain('bob');
  });

  it('of another user are answered as those of an unknown user', async () => {
    const client = await live.connect('ada');
    const refused = async (userId: string) => {
      const answer = await client.ask({
        action: 'subscribe',
        channels: [`wsNotifications:${userId}`],
      });
      return JSON.stringify(answer).replaceAll(userId, 'X');
    };
    expect(await refused('bob')).toContain('"success":false');
    expect((await refused('bob')).replace(/"id":"\d+"/, '')).toBe(
      (await refused('nobody')).replace(/"id":"\d+"/, ''),
    );
  });

  it("need the scope of the channel's read", async () => {
    const client = await live.connect('narrow');
    const answer = await client.ask({ action: 'subscribe', channels: ['wsNotifications:ada'] });
    expect(answer).toMatchObject({ success: false, response: 'Authentication failed.' });
  });
});
