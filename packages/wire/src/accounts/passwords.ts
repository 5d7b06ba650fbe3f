import { z } from 'zod';
import { operation } from '../operations/operation.js';
import { givenPassword, newPassword, email, givenEmail, proofFields } from './sign-in-fields.js';
import { line } from '../fields/text.js';
import { message } from '../fields/output.js';
import { says } from '../operations/answers.js';
import { totpResource, recoveryCodesResource } from './resources.js';
import { presentTotp, presentRecoveryCodes } from './present.js';

const group = 'Authentication';

export const passwords = {
  updatePassword: operation({
    name: 'updatePassword',
    group,
    method: 'POST',
    auth: 'optional',
    byRefreshToken: true,
    summary: 'Sets a new password, with the current one or with a mailed code.',
    description:
      'With password a token is required, and every other session ends. With reset_code (newPasswordReset) no token is required; every session and every api token ends, and the address counts as confirmed.',
    request: z
      .strictObject({
        password: givenPassword.optional(),
        reset_code: line(100, 1).optional(),
        new_password: newPassword,
      })
      .transform(({ password, reset_code, new_password }, context) => {
        if (password !== undefined && reset_code === undefined) return { password, new_password };
        if (password === undefined && reset_code !== undefined) return { reset_code, new_password };
        context.addIssue({
          code: 'custom',
          message: 'send exactly one of password and reset_code',
        });
        return z.NEVER;
      }),
    command: ({ new_password: newPassword, ...proof }) =>
      'reset_code' in proof
        ? { resetCode: proof.reset_code, newPassword }
        : { password: proof.password, newPassword },
    response: message,
    present: says('Password updated.'),
    example: {
      request: { password: 'correct horse battery', new_password: 'staple of another kind' },
      response: 'Password updated.',
    },
  }),
  newPasswordReset: operation({
    name: 'newPasswordReset',
    group,
    method: 'POST',
    auth: 'none',
    summary: 'Mails a one-time code for a new password, valid for an hour.',
    description: 'The answer is the same whether the address is known or not.',
    request: z.strictObject({ email: givenEmail }),
    response: message,
    present: says('If the address belongs to an account, a code is on its way.'),
    example: {
      request: { email: 'ada@example.com' },
      response: 'If the address belongs to an account, a code is on its way.',
    },
  }),
  newEmailConfirmation: operation({
    name: 'newEmailConfirmation',
    group,
    method: 'POST',
    summary:
      "Mails another link that confirms the caller's address; the link before becomes invalid.",
    request: z.strictObject({}),
    response: message,
    present: says('A link is on its way.'),
    example: { request: {}, response: 'A link is on its way.' },
  }),
  confirmEmail: operation({
    name: 'confirmEmail',
    group,
    method: 'POST',
    auth: 'optional',
    summary: 'Confirms the address to which the code was mailed.',
    description:
      'The page of the mailed link does the same. If no address of the account was confirmed before, all its sign-ins and tokens end, except the calling one.',
    request: z.strictObject({
      code: line(100, 1).meta({ description: 'As it was mailed.' }),
    }),
    response: message,
    present: says('Address confirmed.'),
    example: { request: { code: 'slipc_…' }, response: 'Address confirmed.' },
  }),
  updateEmail: operation({
    name: 'updateEmail',
    group,
    method: 'POST',
    summary:
      'Mails a link to a new address, which becomes the account’s once the link is confirmed.',
    description:
      'Needs the password, and a code of the second factor if it is on. The link is valid for a day; both addresses get a mail.',
    request: z.strictObject({ email, ...proofFields }),
    response: message,
    present: says('A link is on its way to the new address.'),
    example: {
      request: { email: 'ada@new.example', password: 'correct horse battery' },
      response: 'A link is on its way to the new address.',
    },
  }),
  newTotp: operation({
    name: 'newTotp',
    group,
    method: 'POST',
    summary: 'Creates a secret for an authenticator app; confirmTotp turns the second factor on.',
    request: z.strictObject({ password: givenPassword }),
    response: totpResource,
    present: presentTotp,
    example: {
      request: { password: 'correct horse battery' },
      response: {
        secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
        uri: 'otpauth://totp/Slipstream:ada%40example.com?issuer=Slipstream&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
      },
    },
  }),
  confirmTotp: operation({
    name: 'confirmTotp',
    group,
    method: 'POST',
    summary:
      'Turns the second factor on with a code of the app; the recovery codes are shown once.',
    description:
      'From then on newSession, updateEmail, deleteUser, deleteTotp, newWithdrawal and newPaymentSource of direction out need totp. A code is valid once; each recovery code replaces one.',
    request: z.strictObject({
      totp: line(50, 1).meta({ description: 'The code that the authenticator app shows now.' }),
    }),
    response: recoveryCodesResource,
    present: presentRecoveryCodes,
    example: {
      request: { totp: '287082' },
      response: { recovery_codes: ['abcd-efgh-ijkl-mnop', 'qrst-uvwx-yz23-4567'] },
    },
  }),
  deleteTotp: operation({
    name: 'deleteTotp',
    group,
    method: 'POST',
    summary: 'Turns the second factor off with the password and a last code.',
    request: z.strictObject(proofFields),
    response: message,
    present: says('The second factor is off.'),
    example: {
      request: { password: 'correct horse battery' },
      response: 'The second factor is off.',
    },
  }),
};
