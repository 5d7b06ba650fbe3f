import { z } from 'zod';
import { USER_NOTIFICATIONS } from '@slipstream/domain';
import { operation, always } from '../operations/operation.js';
import { several, setOf, limit, cursor } from '../fields/lists.js';
import { idOf } from '../fields/text.js';
import { publicUserResource, privateUserResource } from './resources.js';
import { list, says } from '../operations/answers.js';
import { presentPublicUser, presentPrivateUser } from './present.js';
import { ids } from '../example-ids.js';
import { aPublicUser, aPrivateUser } from './examples.js';
import { profileFields } from './profile-fields.js';
import { notificationResource } from '../messages/resources.js';
import { presentNotification } from '../messages/present.js';
import { aNotification } from '../messages/examples.js';
import { message } from '../fields/output.js';
import { userExportResource } from './export-resource.js';
import { presentUserExport } from './present-export.js';
import { aUserExport } from './example-export.js';
import { proofFields } from './sign-in-fields.js';

const group = 'Users';

export const users = {
  getUsers: operation({
    name: 'getUsers',
    group,
    method: 'GET',
    auth: 'none',
    summary: 'Public profiles with their figures.',
    request: z.strictObject({ user_id: several(idOf<'user'>()) }),
    renames: { user_id: 'userIds' },
    response: z.array(publicUserResource),
    present: list(presentPublicUser),
    example: { request: { user_id: [ids.user] }, response: [aPublicUser] },
  }),
  getUserInfo: operation({
    name: 'getUserInfo',
    group,
    method: 'GET',
    summary: "The caller's own record.",
    request: z.strictObject({}),
    response: privateUserResource,
    present: presentPrivateUser,
    example: { request: {}, response: aPrivateUser },
  }),
  updateUserInfo: operation({
    name: 'updateUserInfo',
    group,
    method: 'POST',
    summary: 'Changes the given fields of the profile; an empty text removes a field.',
    request: z.strictObject(profileFields),
    response: privateUserResource,
    present: presentPrivateUser,
    example: {
      request: { bio: 'Trends, slowly.', website: 'https://ada.example', x: '' },
      response: {
        ...aPrivateUser,
        info: { ...aPrivateUser.info, bio: 'Trends, slowly.', website: 'https://ada.example' },
      },
    },
  }),
  updateUserNotifications: operation({
    name: 'updateUserNotifications',
    group,
    method: 'POST',
    summary: "Replaces the set of the user's notification types.",
    request: z.strictObject({
      notifications: setOf(USER_NOTIFICATIONS).meta({
        description: 'All that you want to be told of.',
      }),
    }),
    response: privateUserResource,
    present: presentPrivateUser,
    example: { request: { notifications: ['subscription'] }, response: aPrivateUser },
  }),
  getNotifications: operation({
    name: 'getNotifications',
    group,
    method: 'GET',
    summary: "The user's notifications, newest first.",
    request: z.strictObject({ limit: limit.optional(), cursor: cursor.optional() }),
    response: z.array(notificationResource),
    present: list(presentNotification),
    example: { request: { limit: '20' }, response: [aNotification] },
  }),
  readNotifications: operation({
    name: 'readNotifications',
    group,
    method: 'POST',
    summary: 'Marks notifications as read: the named ones, or all.',
    request: z.strictObject({ notification_id: several(idOf<'notification'>()).optional() }),
    renames: { notification_id: 'notificationIds' },
    response: message,
    present: (count: number) => `${count} ${count === 1 ? 'notification' : 'notifications'} read.`,
    example: {
      request: { notification_id: [ids.notification] },
      response: '1 notification read.',
    },
  }),
  getUserExport: operation({
    name: 'getUserExport',
    cost: always(100),
    group,
    method: 'GET',
    summary: 'All stored data of the user, without secrets, in pieces.',
    description:
      'A piece has at most `limit` items of all lists together; `next_cursor` requests the next one, until it is null. A piece is refused (`conflict`) when something was removed meanwhile: begin again. getOrders, getTrades, getStrategyHistory, getBotOrders and getBotHistory read the orders, trades and histories of strategies and bots.',
    request: z.strictObject({ limit: limit.optional(), cursor: cursor.optional() }),
    response: userExportResource,
    present: presentUserExport,
    example: { request: { limit: '100' }, response: aUserExport },
  }),
  deleteUser: operation({
    name: 'deleteUser',
    group,
    method: 'POST',
    summary: 'Deletes the account permanently.',
    description:
      'Bots must be off. Strategies are deleted, subscriptions end, tokens are revoked; profile, address, posts and likes are erased. Ledger and invoices stay. Refused while there are earnings, a withdrawal is pending or processing, or the earnings are below zero. A user without a password sets one with newPasswordReset and updatePassword first.',
    request: z.strictObject(proofFields),
    response: message,
    present: says('Account deleted.'),
    example: { request: { password: 'correct horse battery' }, response: 'Account deleted.' },
  }),
};
