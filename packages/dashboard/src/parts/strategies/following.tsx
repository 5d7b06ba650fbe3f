import { useEffect, useState } from 'preact/hooks';
import { basisSentence } from '../../figures/basis-words.js';
import { day, money, monthly } from '../../figures/format.js';
import { useAction } from '../../service/action.js';
import { inWords } from '../../service/failures.js';
import { useRead } from '../../service/read.js';
import type { Strategy, Subscription } from '../../service/records.js';
import { DecimalField } from '../common/decimal-field.js';
import { Confirmed } from '../common/confirmed.js';
import { Failure, Form } from '../common/form.js';
import { Note, Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { Change } from '../common/signed.js';

interface Props {
  readonly strategy: Strategy;
  readonly subscription: Subscription | undefined;
  readonly onChange: () => void;
}

/** Follow, with what an amount would have become; or what the reader pays and how to stop. */
export const Following = ({ subscription, ...props }: Props) =>
  subscription && subscription.status !== 'cancelled' ? (
    <Follower {...props} subscription={subscription} />
  ) : (
    <Stranger {...props} />
  );

function Stranger(props: Omit<Props, 'subscription'>) {
  const { strategy } = props;
  const [amount, setAmount] = useState('4000');
  const [isOpen, setOpen] = useState(false);
  const isAmount = /^\d+(\.\d+)?$/.test(amount.trim());
  const since = strategy.segment_since ?? strategy.created_at;
  const past = useRead(isAmount ? `past ${strategy.strategy_id} ${amount}` : null, (client) =>
    client.getStrategyCalculation({
      strategy_id: strategy.strategy_id,
      input_value: amount.trim(),
      input_date: since,
    }),
  );
  const follow = useAction(
    (client, fields: { strategy_id: string; price?: number; input_value?: string }, options) =>
      client.newStrategySubscription(fields, options),
    props.onChange,
    props.onChange,
  );
  const isFree = strategy.price === 0;
  // What is confirmed is the price that was read.
  useEffect(() => setOpen(false), [strategy.price]);
  return (
    <Panel title="Follow">
      <p>
        See positions and orders as they happen, in your own amounts, and let a bot mirror them.
      </p>
      <Form label="Follow" onSubmit={() => setOpen(true)}>
        <DecimalField
          label="Your amount, in your own currency"
          isAmount
          value={amount}
          onValue={setAmount}
          hint="For showing figures alone. Nothing is invested by following."
        />
        {isAmount && (
          <Shown of={past} what="what it would have become" height="3rem">
            {(result) => (
              <p>
                Since {day(since)} it would have become <b class="amount">{money(result.value)}</b>{' '}
                <Change of={result.percent_change} />.{' '}
                <span class="small quiet">
                  {basisSentence(strategy.basis)} Before your own costs. The past promises nothing.
                </span>
              </p>
            )}
          </Shown>
        )}
        <Confirmed
          label={isFree ? 'Follow for nothing' : `Follow for ${monthly(strategy.price)} a month`}
          confirm={isFree ? 'Follow' : `Pay ${monthly(strategy.price)} and follow`}
          consequence={
            isFree
              ? 'You follow it until you stop. It costs nothing.'
              : `${monthly(strategy.price)} is charged to your primary card now, and every month until you stop.`
          }
          isSubmit
          isOpen={isOpen}
          onOpen={setOpen}
          isBusy={follow.isBusy}
          onConfirm={() =>
            void follow.run({
              strategy_id: strategy.strategy_id,
              ...(!isFree && { price: strategy.price }),
              ...(isAmount && { input_value: amount.trim() }),
            })
          }
        />
        <Failure of={follow} />
        {follow.error !== undefined && !isFree && (
          <p>
            <a href="/account#payments">See your cards</a>
          </p>
        )}
      </Form>
    </Panel>
  );
}

/** What a subscription is, and what comes next. */
function stateOf({ status, price, ends_at: end, renews_at: next }: Subscription): string {
  if (status === 'pending') return 'The first payment is on its way.';
  if (status === 'past_due')
    return next === null
      ? 'The last payment failed.'
      : 'The last payment failed. You follow it until it fails for good.';
  if (end !== null) return `You follow this strategy. It ends on ${day(end)}.`;
  if (next === null) return 'You follow this strategy.';
  return `You follow this strategy. ${monthly(price)} again on ${day(next)}.`;
}

/** What a follower who stops loses: a paid month alone runs to its end. */
function endOf({ status, renews_at: next }: Subscription): string {
  if (status === 'pending')
    return 'Nothing more is charged. What is paid all the same is given back in full.';
  if (status === 'past_due')
    return 'It ends at once, and nothing more is charged. Bots that mirror it stop.';
  return next === null
    ? 'You no longer see positions and orders. Bots that mirror it stop.'
    : `A month that is paid stays until ${day(next)}, and then it ends. One whose payment is still on its way ends at once, and the payment is given back in full. Bots that mirror it stop then.`;
}

function Follower(props: Props & { readonly subscription: Subscription }) {
  const { strategy, subscription } = props;
  const [amount, setAmount] = useState(subscription.input_value ?? '');
  const stop = useAction(
    (client, strategy_id: string, options) =>
      client.deleteStrategySubscription({ strategy_id }, options),
    props.onChange,
    props.onChange,
  );
  const goOn = useAction(
    (client, fields: { strategy_id: string; price: number }, options) =>
      client.newStrategySubscription(fields, options),
    props.onChange,
    props.onChange,
  );
  const update = useAction(
    (client, input_value: string, options) =>
      client.updateStrategyCalculation({ strategy_id: strategy.strategy_id, input_value }, options),
    props.onChange,
  );
  const isOwner = subscription.relation === 'owner';
  return (
    <Panel title={isOwner ? 'Your amounts' : 'Following'}>
      {!isOwner && <p>{stateOf(subscription)}</p>}
      {subscription.status_reason !== null && (
        <Note tone="caution">
          {inWords(subscription.status_reason)} <a href="/account#payments">See your payments</a>
        </Note>
      )}
      <Form label="Your amount" onSubmit={() => void update.run(amount.trim())}>
        <DecimalField
          label="Your amount now, in your own currency"
          isAmount
          required
          value={amount}
          onValue={setAmount}
          hint="Positions are shown in shares of this amount."
        />
        <div class="row">
          <button aria-disabled={update.isBusy}>Show in this amount</button>
          {!isOwner && subscription.ends_at === null && (
            <Confirmed
              label="Stop following"
              confirm="Stop following"
              consequence={endOf(subscription)}
              isBusy={stop.isBusy}
              onConfirm={() => stop.run(strategy.strategy_id)}
              isDanger
            />
          )}
          {!isOwner && subscription.ends_at !== null && (
            <Confirmed
              label="Go on following"
              confirm="Go on following"
              consequence={`${monthly(subscription.price)} again on ${day(subscription.ends_at)}, and every month until you stop.`}
              isBusy={goOn.isBusy}
              onConfirm={() =>
                goOn.run({ strategy_id: strategy.strategy_id, price: subscription.price })
              }
            />
          )}
        </div>
        <Failure of={update} />
        <Failure of={goOn} />
        <Failure of={stop} />
      </Form>
      {!isOwner && strategy.ended_at === null && (
        <p>
          <a href={`/new-bot?strategy=${strategy.strategy_id}`}>Mirror it with a bot</a>
        </p>
      )}
    </Panel>
  );
}
