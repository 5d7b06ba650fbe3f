import { useState } from 'preact/hooks';
import { exactMoment } from '../figures/format.js';
import { noticeText, withNotices } from '../parts/owner/notices-in-place.js';
import { Inbox } from '../parts/owner/alerts-panel.js';
import { Failure } from '../parts/common/form.js';
import { More } from '../parts/common/more.js';
import { Panel } from '../parts/common/panel.js';
import { Shown } from '../parts/common/shown.js';
import { SignedIn } from '../parts/common/signed-in.js';
import { useAction } from '../service/action.js';
import { useChannel } from '../service/live.js';
import type { Notification } from '../service/folds.js';
import { useReadSince } from '../service/read.js';
import { session } from '../session/session.js';

/** Everything that the service told the reader, and every alert that came. */
export function InboxPage() {
  return (
    <SignedIn>
      <div class="stack">
        <h1>Inbox</h1>
        <div class="columns">
          <Notifications />
          <Panel title="Alerts of all strategies">
            <Inbox />
          </Panel>
        </div>
      </div>
    </SignedIn>
  );
}

/** Whether `one` says that `other` was mailed too: an inbox needs it once. Mails about an account are not asked for by type. */
const isCopyOf = (one: Notification, other: Notification): boolean =>
  [`${other.type}_email`, 'account'].includes(one.type) &&
  other.type !== 'account' &&
  one.text === other.text &&
  one.strategy_id === other.strategy_id;

/** How many notifications are read at first, and at most. */
const [FEW, MOST] = [50, 100];

function Notifications() {
  const live = useChannel('wsNotifications', session.value?.userId).value.data;
  const [limit, setLimit] = useState(FEW);
  // More of them take their place below those that are there.
  const read = useReadSince(limit, 'notifications', (client) => client.getNotifications({ limit }));
  const mark = useAction(
    (client, _: string, options) => client.readNotifications({}, options),
    read.again,
  );
  const all = withNotices(read.data ?? [], live ?? [], limit).filter(
    (one, _, everything) => !everything.some((other) => isCopyOf(one, other)),
  );
  const isUnread = all.some(({ read_at }) => read_at === null);
  return (
    <Panel
      title="Notifications"
      aside={
        isUnread && (
          <button
            type="button"
            aria-disabled={mark.isBusy}
            onClick={() => void mark.run(String(all.length))}
          >
            Mark all as read
          </button>
        )
      }
    >
      <Failure of={mark} />
      <Shown of={read} what="the notifications" height="4rem">
        {() =>
          all.length === 0 && (
            <p class="quiet">Nothing yet. Follows, likes and messages of your bots come here.</p>
          )
        }
      </Shown>
      <ul class="list" aria-label="Notifications">
        {all.map((one) => (
          <li key={one.notification_id}>
            <div class="row ends">
              <span>
                {one.read_at === null && <span class="tag good">new</span>} {noticeText(one)}
              </span>
              <span class="small quiet">{exactMoment(one.created_at)}</span>
            </div>
            {one.strategy_id !== null && (
              <a class="small" href={`/strategies/${one.strategy_id}`}>
                Strategy
              </a>
            )}{' '}
            {one.bot_id !== null && (
              <a class="small" href={`/bots/${one.bot_id}`}>
                Bot
              </a>
            )}
          </li>
        ))}
      </ul>
      <More
        is={(read.data?.length ?? 0) >= limit}
        onMore={limit < MOST && (() => setLimit(MOST))}
        said="Older ones are not shown."
      />
    </Panel>
  );
}
