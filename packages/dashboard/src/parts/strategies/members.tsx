import { useRead } from '../../service/read.js';
import type { Strategy } from '../../service/records.js';
import { session } from '../../session/session.js';
import { later } from '../common/later.js';
import { FillsPanel } from './fills-panel.js';
import { FollowPanel } from './follow-panel.js';
import { Shown } from '../common/shown.js';
import { PositionsPanel } from './positions-panel.js';

const OwnerPanels = later(() =>
  import('../owner/owner-panels.js').then((part) => part.OwnerPanels),
);
const OrdersPanel = later(() => import('./orders-panel.js').then((part) => part.OrdersPanel));
const Tour = later(() => import('../owner/tour.js').then((part) => part.Tour));

/** What a strategy shows to its owner and its followers, and what others can do to become one. */
export function Members(props: { readonly strategy: Strategy; readonly onChange: () => void }) {
  const { strategy, onChange } = props;
  const user = session.value?.userId;
  const isOwner = user === strategy.user_id;
  const trades = isOwner && strategy.ended_at === null;
  const id = strategy.strategy_id;
  // It changes by itself: a payment arrives, a charge fails, an end comes.
  const subscriptions = useRead(
    user === undefined ? null : `subscription ${id}`,
    (client) => client.getStrategySubscriptions({ strategy_id: [id] }),
    60_000,
  );
  const subscription = subscriptions.data?.[0];
  // The price may be another one meanwhile, and the strategy counts its followers.
  const change = (): void => {
    subscriptions.again();
    onChange();
  };
  // One whose first month was never paid renews never.
  const mayLook =
    isOwner ||
    subscription?.status === 'active' ||
    (subscription?.status === 'past_due' && subscription.renews_at !== null);
  // Who may follow already is not offered it.
  const follow = (user === undefined || subscriptions.isAnswered) && (
    <FollowPanel strategy={strategy} subscription={subscription} onChange={change} />
  );
  const state = user !== undefined && (
    <Shown of={subscriptions} what="whether you follow it" height="6rem">
      {() => null}
    </Shown>
  );
  const isUnread = !subscriptions.isAnswered && subscriptions.error === undefined;
  if (!mayLook || isUnread)
    return (
      <>
        {state}
        {follow}
      </>
    );
  return (
    <>
      {state}
      {trades && <Tour strategy={strategy} />}
      <div class="columns">
        <PositionsPanel strategy={strategy} subscription={subscription} />
        <div class="stack">
          <OrdersPanel strategy={strategy} isOwner={isOwner} />
          {follow}
        </div>
      </div>
      {trades && <OwnerPanels strategy={strategy} />}
      <FillsPanel strategy={strategy} />
    </>
  );
}
