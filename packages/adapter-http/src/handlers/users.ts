import {
  presentNotification,
  presentPost,
  presentPrivateUser,
  presentPublicUser,
  presentUserExport,
} from '@slipstream/wire';
import type { HandlersOf } from './handler.js';

export const userHandlers: HandlersOf<
  | 'updatePassword'
  | 'newPasswordReset'
  | 'newEmailConfirmation'
  | 'confirmEmail'
  | 'updateEmail'
  | 'newTotp'
  | 'confirmTotp'
  | 'deleteTotp'
  | 'getUsers'
  | 'getUserInfo'
  | 'updateUserInfo'
  | 'updateUserNotifications'
  | 'getNotifications'
  | 'readNotifications'
  | 'getUserExport'
  | 'deleteUser'
> = {
  updatePassword: async (application, request, caller) => {
    const { new_password: newPassword } = request;
    const proof =
      'reset_code' in request ? { resetCode: request.reset_code } : { password: request.password };
    await application.updatePassword(caller, { ...proof, newPassword });
    return 'Password updated.';
  },
  newPasswordReset: async (application, { email }, caller) => {
    await application.newPasswordReset(caller, { email });
    return 'If the address belongs to an account, a code is on its way.';
  },
  newEmailConfirmation: async (application, _, caller) => {
    await application.newEmailConfirmation(caller);
    return 'A link is on its way.';
  },
  confirmEmail: async (application, { code }, caller) => {
    await application.confirmEmail(caller, { code });
    return 'Address confirmed.';
  },
  updateEmail: async (application, { email, password, totp }, caller) => {
    await application.updateEmail(caller, { email, password, totp });
    return 'A link is on its way to the new address.';
  },
  newTotp: (application, { password }, caller) => application.newTotp(caller, { password }),
  confirmTotp: async (application, { totp }, caller) => ({
    recovery_codes: [...(await application.confirmTotp(caller, { totp }))],
  }),
  deleteTotp: async (application, { password, totp }, caller) => {
    await application.deleteTotp(caller, { password, totp });
    return 'The second factor is off.';
  },
  getUsers: async (application, { user_id: userIds }, caller) =>
    (await application.getUsers(caller, { userIds })).map(presentPublicUser),
  getUserInfo: async (application, _, caller) =>
    presentPrivateUser(await application.getUserInfo(caller)),
  updateUserInfo: async (application, fields, caller) =>
    presentPrivateUser(await application.updateUserInfo(caller, fields)),
  updateUserNotifications: async (application, { notifications }, caller) =>
    presentPrivateUser(await application.updateUserNotifications(caller, { notifications })),
  getNotifications: async (application, { limit, cursor }, caller) =>
    (await application.getNotifications(caller, { limit, cursor })).map(presentNotification),
  readNotifications: async (application, { notification_id: notificationIds }, caller) => {
    const count = await application.readNotifications(caller, { notificationIds });
    return `${count} ${count === 1 ? 'notification' : 'notifications'} read.`;
  },
  getUserExport: async (application, page, caller) =>
    presentUserExport(await application.getUserExport(caller, page)),
  deleteUser: async (application, proof, caller) => {
    await application.deleteUser(caller, proof);
    return 'Account deleted.';
  },
};

export const timelineHandlers: HandlersOf<
  'getTimeline' | 'newPost' | 'deletePost' | 'newLike' | 'deleteLike'
> = {
  getTimeline: async (application, { user_id: userId, limit, cursor }, caller) =>
    (await application.getTimeline(caller, { userId, limit, cursor })).map(presentPost),
  newPost: async (application, { text, strategy_id: strategyId }, caller) =>
    presentPost(await application.newPost(caller, { text, strategyId })),
  deletePost: async (application, { post_id: postId }, caller) => {
    await application.deletePost(caller, { postId });
    return 'Post deleted.';
  },
  newLike: async (application, { post_id: postId }, caller) =>
    presentPost(await application.newLike(caller, { postId })),
  deleteLike: async (application, { post_id: postId }, caller) =>
    presentPost(await application.deleteLike(caller, { postId })),
};
