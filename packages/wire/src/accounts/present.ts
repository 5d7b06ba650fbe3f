import type { SessionView, Token, User } from '@slipstream/domain';
import type { z } from 'zod';
import type {
  tokenResource,
  issuedTokenResource,
  sessionResource,
  privateUserResource,
  totpResource,
  recoveryCodesResource,
  publicUserResource,
} from './resources.js';
import { orNull, timeText, timeOrNull } from '../fields/output.js';

/** Spec 2.1; the holder is the user. The digest stays inside. */
export const presentToken = (token: Token): z.infer<typeof tokenResource> => ({
  token_id: token.id,
  user_id: token.userId,
  holder: token.userId,
  type: token.type,
  name: token.name,
  scope: [...token.scope],
  strategy_ids: token.strategyIds && [...token.strategyIds],
  limits: token.limits && {
    max_notional_per_day: orNull(token.limits.maxNotionalPerDay),
    max_orders_per_day: token.limits.maxOrdersPerDay,
  },
  parent_id: token.parentId,
  created_at: timeText(token.createdAt),
  expires_at: timeOrNull(token.expiresAt),
  renewed_by_use: token.renewedByUse,
  last_used_at: timeOrNull(token.lastUsedAt),
});

/** newToken's answer: the only time the text is shown. */
export const presentIssuedToken = (issued: {
  readonly token: Token;
  readonly text: string;
}): z.infer<typeof issuedTokenResource> => ({ ...presentToken(issued.token), token: issued.text });

/** A new session; its token is shown once. */
export const presentSession = (session: SessionView): z.infer<typeof sessionResource> => ({
  token: session.token,
  token_id: session.tokenId,
  user_id: session.userId,
  expires_at: timeText(session.expiresAt),
});

/** Spec 2.3. */
export const presentPrivateUser = (user: User): z.infer<typeof privateUserResource> => ({
  user_id: user.id,
  name: user.name,
  email: user.email,
  info: { ...user.profile },
  commission: user.commission,
  notifications: [...user.notifications],
  payments_enabled: user.paymentsEnabled,
  verified: user.verified,
  second_factor: user.secondFactor !== null && user.secondFactor.since !== null,
  ref_id: user.refId,
  updated_at: timeText(user.updatedAt),
  created_at: timeText(user.createdAt),
});

/** newTotp's answer: the only time the secret is shown. */
export const presentTotp = ({
  secret,
  uri,
}: {
  readonly secret: string;
  readonly uri: string;
}): z.infer<typeof totpResource> => ({ secret, uri });

/** The recovery codes of a second factor; they are shown once. */
export const presentRecoveryCodes = (
  codes: readonly string[],
): z.infer<typeof recoveryCodesResource> => ({ recovery_codes: [...codes] });

/** Spec 2.2. */
export const presentPublicUser = (view: {
  readonly user: User;
  readonly postCount: number;
  readonly likeCount: number;
  readonly subscriberCount: number;
  readonly strategyCount: number;
}): z.infer<typeof publicUserResource> => ({
  user_id: view.user.id,
  name: view.user.name,
  info: { ...view.user.profile },
  updated_at: timeText(view.user.updatedAt),
  created_at: timeText(view.user.createdAt),
  post_count: String(view.postCount),
  like_count: String(view.likeCount),
  subscriber_count: String(view.subscriberCount),
  strategy_count: String(view.strategyCount),
});
