import type { ResponseOf } from '@slipstream/wire';
import { useState } from 'preact/hooks';
import { useAction } from '../../service/action.js';
import { Check, Choice, Failure, Field, Form } from '../common/form.js';
import { Note } from '../common/panel.js';

type Endpoint = ResponseOf<'getEndpoints'>[number];
type Kind = Endpoint['kind'];
type EventName = Endpoint['events'][number];

const KINDS = [
  ['webhook', 'A webhook of your own'],
  ['telegram', 'A chat in Telegram'],
  ['discord', 'A channel in Discord'],
] as const;

// oxfmt-ignore
const GROUPS: readonly (readonly [label: string, events: readonly EventName[]])[] = [
  ['Orders that were filled', ['order.filled']],
  ['Orders that were rejected or cancelled', ['order.rejected', 'order.cancelled']],
  ['Refused alerts', ['alert.refused']],
  ['Bots that start or stop', ['bot.started', 'bot.stopped']],
  ['Bots in trouble', ['bot.breached', 'bot.error']],
  ['Subscriptions and invoices', ['subscription.changed', 'invoice.changed']],
];

const WHERE = {
  webhook: { label: 'Its address', hint: 'https, at a public address.' },
  discord: {
    label: 'Webhook URL of the channel',
    hint: 'In the settings of the channel: Integrations, Webhooks.',
  },
} as const;

/** The form of a new endpoint; the secret of a webhook is shown once. */
export function NewEndpoint(props: { readonly onMade: () => void }) {
  const [kind, setKind] = useState<Kind>('webhook');
  const [url, setUrl] = useState('');
  const [token, setToken] = useState('');
  const [chat, setChat] = useState('');
  const [events, setEvents] = useState<readonly EventName[]>(['order.filled', 'alert.refused']);
  const make = useAction(
    (client, fields: Parameters<typeof client.newEndpoint>[0], options) =>
      client.newEndpoint(fields, options),
    () => {
      for (const set of [setUrl, setToken, setChat]) set('');
      props.onMade();
    },
  );
  const target = kind === 'telegram' ? { bot_token: token.trim(), chat_id: chat.trim() } : { url };
  return (
    <>
      <details>
        <summary>Add one</summary>
        <Form
          label="New endpoint"
          onSubmit={() => void make.run({ kind, events: [...events], ...target })}
        >
          <Choice label="Where to" value={kind} options={KINDS} onValue={setKind} />
          {kind === 'telegram' ? (
            <>
              <Field
                label="Token of the bot"
                hint="From @BotFather in Telegram."
                required
                maxLength={100}
                value={token}
                onValue={setToken}
              />
              <Field
                label="Chat id"
                hint="A number, or @channel. Talk to the bot first."
                required
                maxLength={100}
                value={chat}
                onValue={setChat}
              />
            </>
          ) : (
            <Field {...WHERE[kind]} required maxLength={2000} value={url} onValue={setUrl} />
          )}
          {GROUPS.map(([label, names]) => (
            <Check
              key={label}
              label={label}
              checked={names.every((name) => events.includes(name))}
              onValue={(on) =>
                setEvents([...events.filter((name) => !names.includes(name)), ...(on ? names : [])])
              }
            />
          ))}
          <div class="row">
            <button aria-disabled={make.isBusy}>Add it</button>
          </div>
          <Failure of={make} />
        </Form>
      </details>
      {make.answer?.secret && (
        <Note tone="good">
          <p>Copy the secret that signs its messages now; it is not shown again:</p>
          <pre tabIndex={0}>{make.answer.secret}</pre>
        </Note>
      )}
    </>
  );
}
