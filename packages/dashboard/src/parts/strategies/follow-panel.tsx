import { monthly } from '../../figures/format.js';
import type { Strategy, Subscription } from '../../service/records.js';
import { session } from '../../session/session.js';
import { later } from '../common/later.js';
import { Panel } from '../common/panel.js';

const Following = later(() => import('./following.js').then((part) => part.Following));

/** How to follow, or to stop. */
export function FollowPanel(props: {
  readonly strategy: Strategy;
  readonly subscription: Subscription | undefined;
  readonly onChange: () => void;
}) {
  const { strategy, subscription } = props;
  const follows = subscription !== undefined && subscription.status !== 'cancelled';
  if (strategy.ended_at !== null && !follows)
    return (
      <Panel title="Follow">
        <p>It is over: nobody can follow it any more.</p>
      </Panel>
    );
  const to = `/strategies/${strategy.strategy_id}`;
  if (session.value === null)
    return (
      <Panel title="Follow">
        <p>
          Positions, orders and fills are for followers: they are what is sold.{' '}
          <a href={`/sign-in?to=${to}`}>Sign in</a> or{' '}
          <a href={`/sign-up?to=${to}`}>make an account</a> to follow this strategy
          {strategy.price === 0 ? ' for nothing' : ` for ${monthly(strategy.price)} a month`}.
        </p>
      </Panel>
    );
  return <Following {...props} />;
}
