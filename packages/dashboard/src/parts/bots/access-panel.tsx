import type { ResponseOf } from '@slipstream/wire';
import { useState } from 'preact/hooks';
import { useAction } from '../../service/action.js';
import type { Bot } from '../../service/folds.js';
import { useRead } from '../../service/read.js';
import { Failure, Form } from '../common/form.js';
import { Note, Panel } from '../common/panel.js';
import { BrokerAccess, type ChosenAccess, credentialsOf } from './broker-access.js';

type Credentials = ReturnType<typeof credentialsOf>;

/** New keys, or another permission, for the same account of a bot that is off. */
export function AccessPanel(props: { readonly bot: Bot; readonly onChange: () => void }) {
  const { bot, onChange } = props;
  const info = useRead<ResponseOf<'getServiceInfo'>>('service', (client) =>
    client.getServiceInfo(),
  );
  const [access, setAccess] = useState<ChosenAccess>({ secrets: {}, granted: null });
  const save = useAction(
    (client, credentials: Credentials, options) =>
      client.updateBot({ bot_id: bot.bot_id, credentials }, options),
    () => {
      setAccess({ secrets: {}, granted: null });
      onChange();
    },
  );
  if (bot.broker === 'simulated' || !['off', 'error'].includes(bot.status)) return null;
  const broker = info.data?.brokers.find(({ name }) => name === bot.broker);
  return (
    <Panel title="Access to the account">
      <p class="small quiet">
        {bot.status === 'off'
          ? 'New access counts from the next start on. It must open the same account.'
          : 'Stop the bot to give it new access: keys that the broker no longer takes are replaced here.'}
      </p>
      {bot.status === 'off' && (
        <Form
          label="Access to the account"
          onSubmit={() => void save.run(credentialsOf(bot.broker, access))}
        >
          <BrokerAccess
            broker={bot.broker}
            connects={broker?.connects ?? false}
            access={access}
            onAccess={setAccess}
          />
          <div class="row">
            <button aria-disabled={save.isBusy}>Replace the access</button>
          </div>
          <Failure of={save} />
          {save.answer && <Note tone="good">Replaced. Start the bot to go on.</Note>}
        </Form>
      )}
    </Panel>
  );
}
