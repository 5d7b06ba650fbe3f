import { Refusal } from '@slipstream/domain';
import { describe, it, expect } from '@jest/globals';
import { type OperationName, operations } from '../operations/index.js';
import { readRequest } from '../requests/explain.js';

function sentence(name: OperationName, given: unknown): string {
  try {
    readRequest(operations[name].request, given);
    return 'accepted';
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

const NO_LINK = 'must be an https URL without a user name in it, or empty';

describe('the links of a profile', () => {
  // oxfmt-ignore
  it.each([
    ['website', 'https://ada.example'],
    ['website', 'https://ada.example:8443/a/b?c=d#e'],
    ['website', 'HTTPS://Ada.Example/%20'],
    ['website', 'https://xn--bcher-kva.example/@ada'],
    ['website', `https://ada.example/${'x'.repeat(492)}`],
    ['website', ''],
    ['youtube', 'https://www.youtube.com/@ada'],
    ['youtube', 'https://youtu.be/abc'],
    ['x', 'https://x.com/ada'],
    ['x', 'https://twitter.com/ada'],
    ['x', 'https://X.COM/ada'],
    ['telegram', 'https://t.me/ada'],
    ['telegram', ''],
    ['bio', '😀'.repeat(2000)],
    ['bio', ''],
  ] as const)('%s takes %s', (field, value) => {
    expect(sentence('updateUserInfo', { [field]: value })).toBe('accepted');
  });

  // oxfmt-ignore
  it.each([
    ['javascript:alert(1)'], ['JavaScript:alert(1)//https://x.com'], ['data:text/html,<b>'], ['vbscript:x'], ['file:///etc/passwd'],
    ['http://ada.example'], ['ftp://ada.example'], ['//ada.example'], ['ada.example'], ['https:ada.example'], ['https:/ada.example'],
    ['https://user@ada.example'], ['https://user:pass@ada.example'], ['https://@ada.example'], ['https://x.com@evil.example'],
    ['https://x.com:80@evil.example'], ['https://x.com%40evil.example'], ['https://x.com\\@evil.example'], ['https://evil.example\\.x.com'],
    [' https://ada.example'], ['https://ada.example '], ['https://ada.example/a b'], ['https://ada.ex\tample'], ['https://ada.example/\n'],
    ['https://ada.example/"onclick="x'], ["https://ada.example/'"], ['https://ada.example/<script>'], ['https://ada.example/\u200b'],
    ['https://localhost'], ['https://'], ['https://.'], ['https://ada..example'], ['https://[::1]/'], ['https://x。com'],
    ['https://ada.example:port'], ['https://ада.example'],
  ])('a website is not %j', (value) => {
    expect(sentence('updateUserInfo', { website: value })).toBe(`website ${NO_LINK}`);
  });

  // oxfmt-ignore
  it.each([
    ['youtube', 'https://youtube.com.evil.example/', 'youtube must lead to youtube.com, www.youtube.com, m.youtube.com, youtu.be'],
    ['youtube', 'https://x.com/ada', 'youtube must lead to youtube.com, www.youtube.com, m.youtube.com, youtu.be'],
    ['x', 'https://evilx.com/', 'x must lead to x.com, www.x.com, twitter.com, www.twitter.com, mobile.twitter.com'],
    ['telegram', 'https://t.me.evil.example', 'telegram must lead to t.me, telegram.me, www.telegram.me'],
    ['x', 'javascript:alert(1)', `x ${NO_LINK}`],
    ['website', `https://ada.example/${'x'.repeat(493)}`, 'website must have at most 512 characters'],
    ['bio', 'x'.repeat(2001), 'bio must have at most 2000 characters'],
    ['bio', 7, 'bio must be a string'],
    ['website', null, 'website must be a string'],
    ['email', 'a@example.com', 'unknown field "email"'],
  ])('%s %j: %s', (field, value, reason) => {
    expect(sentence('updateUserInfo', { [field]: value })).toBe(reason);
  });

  it('are checked in milliseconds, however long', () => {
    expect(sentence('updateUserInfo', { website: `https://${'a-'.repeat(50_000)}` })).toBe(
      'website must have at most 512 characters',
    );
  });
});

describe('accounts, notifications and posts', () => {
  const secret = 'staple of another kind';
  // oxfmt-ignore
  it.each<[OperationName, unknown, string]>([
    ['updatePassword', { password: 'old', new_password: secret }, 'accepted'],
    ['updatePassword', { reset_code: 'slipc_1', new_password: secret }, 'accepted'],
    ['updatePassword', { new_password: secret }, 'send exactly one of password and reset_code'],
    ['updatePassword', { password: 'a', reset_code: 'b', new_password: secret }, 'send exactly one of password and reset_code'],
    ['updatePassword', { password: 'old', new_password: 'short' }, 'new_password must have 8 to 200 characters'],
    ['updatePassword', { password: 'old', new_password: secret, code: 'x' }, 'unknown field "code"'],
    ['newPasswordReset', { email: 'nobody' }, 'email must be an e-mail address'],
    ['newPasswordReset', {}, 'email is required'],
    ['deleteUser', {}, 'password is required'],
    ['getUsers', {}, 'user_id is required'],
    ['getUsers', { user_id: Array(101).fill('a') }, 'user_id must have at most 100 items'],
    ['updateUserNotifications', {}, 'notifications is required'],
    ['updateUserNotifications', { notifications: [] }, 'accepted'],
    ['updateUserNotifications', { notifications: ['start'] }, 'notifications[0] must be subscription, like, subscription_email, new_features_email or payment_complete_email'],
    ['readNotifications', {}, 'accepted'],
    ['readNotifications', { notification_id: [] }, 'notification_id is required'],
    ['readNotifications', { notification_id: 'a' }, 'notification_id must be an array'],
    ['getNotifications', { limit: '101' }, 'limit must be an integer from 1 to 100'],
    ['newPost', { text: '' }, 'text must have 1 to 2000 characters'],
    ['newPost', { text: 'x'.repeat(2001) }, 'text must have 1 to 2000 characters'],
    ['newPost', { text: '😀'.repeat(2000) }, 'accepted'],
    ['newLike', {}, 'post_id is required'],
    ['getTimeline', {}, 'accepted'],
    ['getTimeline', { user_id: '' }, 'user_id must have 1 to 50 characters'],
  ])('%s %j: %s', (name, given, reason) => {
    expect(sentence(name, given)).toBe(reason);
  });
});
