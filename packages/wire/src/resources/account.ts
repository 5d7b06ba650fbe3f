import { PROFILE_FIELDS, TOKEN_TYPES, USER_NOTIFICATIONS } from '@slipstream/domain';
import { z } from 'zod';
import { idOut, timestampOut } from './output.js';

/** Spec 2.1 with what contract 5 adds. */
export const tokenResource = z
  .object({
    token_id: idOut,
    user_id: idOut,
    holder: idOut,
    type: z.enum(TOKEN_TYPES),
    name: z.string(),
    scope: z.array(z.string()),
    strategy_ids: z.array(idOut).nullable(),
    created_at: timestampOut,
    expires_at: timestampOut.nullable(),
  })
  .meta({ id: 'Token' });
/** newToken's answer: the record and the token's text, shown once. */
export const issuedTokenResource = z
  .object({ ...tokenResource.shape, token: z.string() })
  .meta({ id: 'IssuedToken' });
/** newSession's answer. */
export const sessionResource = z
  .object({ token: z.string(), token_id: idOut, user_id: idOut, expires_at: timestampOut })
  .meta({ id: 'Session' });

type ProfileField = (typeof PROFILE_FIELDS)[number];
export const profileResource = z
  .object(
    Object.fromEntries(PROFILE_FIELDS.map((field) => [field, z.string()])) as Record<
      ProfileField,
      z.ZodString
    >,
  )
  .meta({ id: 'Profile' });
/** Spec 2.3. */
export const privateUserResource = z
  .object({
    user_id: idOut,
    email: z.string(),
    info: profileResource,
    commission: z.int(),
    notifications: z.array(z.enum(USER_NOTIFICATIONS)),
    payments_enabled: z.boolean(),
    verified: z.boolean(),
    ref_id: z.string(),
    updated_at: timestampOut,
    created_at: timestampOut,
  })
  .meta({ id: 'PrivateUser' });
