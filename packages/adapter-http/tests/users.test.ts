import { type User, id } from '@slipstream/domain';
import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { served } from './stand-in.js';

const aUser: User = {
  id: id('user-1'),
  email: 'ada@example.com',
  name: 'Ada',
  nameKey: 'ada',
  passwordHash: 'never shown',
  profile: { bio: '', x: '', website: '', youtube: '', telegram: '' },
  commission: 20,
  notifications: ['like'],
  paymentsEnabled: false,
  confirmBy: null,
  secondFactor: null,
  devices: [],
  verified: true,
  refId: 'user-1',
  referredBy: null,
  createdAt: 0,
  updatedAt: 0,
  deletedAt: null,
};
const aPost = { id: id('post-1'), userId: aUser.id, strategyId: null, text: 'hello', createdAt: 0 };
const view = { post: aPost, likeCount: 3, liked: true };
const aNotification = {
  id: id('notification-1'),
  userId: aUser.id,
  type: 'like',
  text: 'hello',
  strategyId: null,
  botId: null,
  postId: aPost.id,
  actorId: id('user-2'),
  createdAt: 0,
  readAt: null,
};
const counts = { postCount: 1, likeCount: 2, subscriberCount: 3, strategyCount: 4 };
const all = ['Authorization', 'Bearer all'] as const;

describe('users over HTTP', () => {
  it('are public without a token, their counts decimal strings', async () => {
    const { app, calls } = served({ getUsers: () => [{ user: aUser, ...counts }] });
    const answer = await request(app).get('/getUsers?user_id[]=user-1&user_id[]=b');
    expect(calls[0]?.[2]).toEqual({ userIds: ['user-1', 'b'] });
    const body = answer.body as { response: object[] };
    expect(body.response).toMatchObject([
      {
        user_id: 'user-1',
        post_count: '1',
        like_count: '2',
        subscriber_count: '3',
        strategy_count: '4',
      },
    ]);
    expect(body.response[0]).not.toHaveProperty('email');
  });

  it.each([
    ['get', '/getUserInfo', undefined, {}],
    ['post', '/updateUserInfo', { bio: 'hello', x: '' }, { bio: 'hello', x: '' }],
    ['post', '/updateUserNotifications', { notifications: ['like'] }, { notifications: ['like'] }],
  ] as const)('%s %s answers the private user', async (method, path, sent, command) => {
    const { app, calls } = served({
      getUserInfo: () => aUser,
      updateUserInfo: () => aUser,
      updateUserNotifications: () => aUser,
    });
    const agent = request(app);
    const asked = (method === 'get' ? agent.get(path) : agent.post(path)).set(...all);
    const answer = await (sent ? asked.send(sent) : asked);
    expect(answer.body).toMatchObject({
      success: true,
      response: { email: 'ada@example.com', verified: true, notifications: ['like'] },
    });
    expect(answer.text).not.toContain('never shown');
    expect(calls[0]?.[2]).toEqual(command);
  });

  it('export everything except secrets and the users who caused notifications', async () => {
    const { app } = served({
      getUserExport: () => ({
        user: aUser,
        strategies: [],
        subscriptions: [],
        bots: [],
        tokens: [
          {
            id: 't',
            userId: 'u',
            scope: [],
            strategyIds: null,
            limits: null,
            digest: 'never shown',
            createdAt: 0,
            parentId: null,
            expiresAt: null,
            renewedByUse: false,
            lastUsedAt: null,
          },
        ],
        posts: [aPost],
        likes: [{ postId: aPost.id, userId: aUser.id, createdAt: 0 }],
        notifications: [aNotification],
        paymentSources: [],
        invoices: [],
        withdrawals: [],
        earnings: [],
        endpoints: [],
        alerts: [],
        mails: [
          {
            to: 'a@b.example',
            subject: 's',
            sealedText: 'never shown',
            failure: null,
            createdAt: 0,
          },
        ],
        nextCursor: null,
      }),
    });
    const answer = await request(app)
      .get('/getUserExport')
      .set(...all);
    expect(answer.body).toMatchObject({
      response: {
        user: { user_id: 'user-1' },
        posts: [{ post_id: 'post-1' }],
        notifications: [{}],
      },
    });
    expect(answer.text).not.toMatch(/never shown|user-2/);
  });

  it.each([
    ['/deleteUser', { password: 'p' }, 'Account deleted.', { password: 'p' }],
    ['/readNotifications', {}, '1 notification read.', { notificationIds: undefined }],
    [
      '/readNotifications',
      { notification_id: ['a'] },
      '1 notification read.',
      { notificationIds: ['a'] },
    ],
    ['/deletePost', { post_id: 'a' }, 'Post deleted.', { postId: 'a' }],
  ])('%s answers a message', async (path, sent, expected, command) => {
    const { app, calls } = served({
      deleteUser: () => undefined,
      readNotifications: () => 1,
      deletePost: () => undefined,
    });
    const answer = await request(app)
      .post(path)
      .set(...all)
      .send(sent);
    expect(answer.body).toEqual({ success: true, response: expected });
    expect(calls[0]?.[2]).toEqual(command);
  });

  it('read their notifications', async () => {
    const { app, calls } = served({ getNotifications: () => [aNotification] });
    const answer = await request(app)
      .get('/getNotifications?limit=5&cursor=x')
      .set(...all);
    expect(answer.body).toMatchObject({ response: [{ type: 'like', read_at: null }] });
    expect(calls[0]?.[2]).toEqual({ limit: 5, cursor: 'x' });
  });
});

describe('passwords over HTTP', () => {
  const answers = { updatePassword: () => undefined, newPasswordReset: () => undefined };

  it('are reset by a code, without a token', async () => {
    const { app, calls } = served(answers);
    const sent = { reset_code: 'slipc_1', new_password: 'staple of another kind' };
    expect((await request(app).post('/updatePassword').send(sent)).status).toBe(200);
    expect(calls[0]).toEqual([
      'updatePassword',
      expect.objectContaining({ kind: 'anonymous' }),
      expect.objectContaining({ resetCode: 'slipc_1', newPassword: sent.new_password }),
    ]);
    expect(calls[0]?.[2]).not.toHaveProperty('password');
  });

  it('are changed with the current one', async () => {
    const { app, calls } = served(answers);
    const sent = { password: 'old', new_password: 'staple of another kind' };
    await request(app)
      .post('/updatePassword')
      .set(...all)
      .send(sent);
    expect(calls[0]?.[2]).toEqual({ password: 'old', newPassword: sent.new_password });
    const refused = await request(app)
      .post('/updatePassword')
      .set('Authorization', 'bad')
      .send(sent);
    expect(refused.status).toBe(401);
  });

  it('can be reset by anybody, always with the same answer', async () => {
    const { app } = served(answers);
    const answer = await request(app).post('/newPasswordReset').send({ email: 'Ada@Example.com' });
    expect(answer.body).toEqual({
      success: true,
      response: 'If the address belongs to an account, a code is on its way.',
    });
  });
});

describe('timelines over HTTP', () => {
  it.each([
    ['newPost', { text: 'hello', strategy_id: 's' }, { text: 'hello', strategyId: 's' }],
    ['newLike', { post_id: 'a' }, { postId: 'a' }],
    ['deleteLike', { post_id: 'a' }, { postId: 'a' }],
  ])('%s answers the post', async (name, sent, command) => {
    const { app, calls } = served({ [name]: () => view });
    const answer = await request(app)
      .post(`/${name}`)
      .set(...all)
      .send(sent);
    expect(answer.body).toMatchObject({
      response: { post_id: 'post-1', like_count: '3', liked: true },
    });
    expect(calls[0]?.[2]).toEqual(command);
  });

  it('are read page by page', async () => {
    const { app, calls } = served({ getTimeline: () => [view] });
    await request(app)
      .get('/getTimeline?user_id=u&limit=2&cursor=c')
      .set(...all);
    await request(app)
      .get('/getTimeline')
      .set(...all);
    expect(calls.map(([, , command]) => command)).toEqual([
      { userId: 'u', limit: 2, cursor: 'c' },
      { userId: undefined, limit: undefined, cursor: undefined },
    ]);
  });
});
