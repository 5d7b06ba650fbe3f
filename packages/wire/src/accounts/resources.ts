import { z } from 'zod';
import { TOKEN_TYPES, PROFILE_FIELDS, USER_NOTIFICATIONS } from '@slipstream/domain';
import { idOut, timestampOut, decimalOut } from '../fields/output.js';

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
    limits: z
      .object({
        max_notional_per_day: decimalOut.nullable(),
        max_orders_per_day: z.int().nullable(),
      })
      .nullable()
      .meta({
        description:
          'What its orders may open and add in each strategy in a day (UTC), with those of all tokens made from it; null without limits.',
      }),
    parent_id: idOut.nullable().meta({
      description:
        'The token with which it ends: the sign-in of a session, or the api token that made it.',
    }),
    created_at: timestampOut,
    expires_at: timestampOut.nullable(),
    renewed_by_use: z.boolean().meta({
      description: 'Each use postpones the expiry: it expires after a year without use.',
    }),
    last_used_at: timestampOut.nullable().meta({ description: 'To the minute.' }),
  })
  .meta({ id: 'Token' });
/** newToken's answer: the record and the token's text, shown once. */
export const issuedTokenResource = z
  .object({ ...tokenResource.shape, token: z.string() })
  .meta({ id: 'IssuedToken' });
/** newTotp's answer. */
export const totpResource = z
  .object({
    secret: z.string().meta({ description: 'In base 32, for typing.' }),
    uri: z.string().meta({ description: 'The text of a QR code for the app.' }),
  })
  .meta({ id: 'Totp' });
/** confirmTotp's answer. */
export const recoveryCodesResource = z
  .object({ recovery_codes: z.array(z.string()) })
  .meta({ id: 'RecoveryCodes' });
/** newSession's answer. */
export const sessionResource = z
  .object({ token: z.string(), token_id: idOut, user_id: idOut, expires_at: timestampOut })
  .meta({ id: 'Session' });

type ProfileField = (typeof PROFILE_FIELDS)[number];
/** A public profile (spec 2.3). */
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
    name: z.string().nullable(),
    email: z.string(),
    info: profileResource,
    commission: z.int(),
    notifications: z.array(z.enum(USER_NOTIFICATIONS)),
    payments_enabled: z.boolean(),
    verified: z.boolean(),
    second_factor: z.boolean(),
    ref_id: z.string(),
    updated_at: timestampOut,
    created_at: timestampOut,
  })
  .meta({ id: 'PrivateUser' });

/** Spec 2.2. */
export const publicUserResource = z
  .object({
    user_id: idOut,
    name: z.string().nullable(),
    info: profileResource,
    updated_at: timestampOut,
    created_at: timestampOut,
    post_count: decimalOut,
    like_count: decimalOut,
    subscriber_count: decimalOut,
    strategy_count: decimalOut,
  })
  .meta({ id: 'PublicUser' });
