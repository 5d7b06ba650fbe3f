import { z } from 'zod';
import { operation } from '../operation.js';
import { message } from '../resources/index.js';
import { email, givenPassword, newPassword, text } from '../scalars.js';

const group = 'Authentication';

export const passwords = {
  updatePassword: operation({
    name: 'updatePassword',
    group,
    method: 'POST',
    auth: 'optional',
    summary: 'Sets a new password, by the current one or by a code that was mailed.',
    description:
      'With password a token is needed; with reset_code (newPasswordReset) none. Every other session ends.',
    request: z
      .strictObject({
        password: givenPassword.optional(),
        reset_code: text(100, 1).optional(),
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
    response: message,
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
    summary: 'Mails a one-time code for a new password, good for an hour.',
    description: 'The answer is the same whether the address is known or not.',
    request: z.strictObject({ email }),
    response: message,
    example: {
      request: { email: 'ada@example.com' },
      response: 'If the address belongs to an account, a code is on its way.',
    },
  }),
};
