/** Renewals that are due, longest due first: subscriptions that are past due are not in their way. */
export const renewalsInOrder = `
DROP INDEX subscriptions_renewing;
CREATE INDEX subscriptions_renewing ON subscriptions (renews_at, id) WHERE status = 'active' AND renews_at IS NOT NULL;
DROP INDEX subscriptions_ending;
CREATE INDEX subscriptions_ending ON subscriptions (ends_at, id) WHERE status <> 'cancelled' AND ends_at IS NOT NULL;
`;
