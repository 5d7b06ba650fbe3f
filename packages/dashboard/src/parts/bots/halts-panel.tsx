import { useState } from 'preact/hooks';
import type { ResponseOf } from '@slipstream/wire';
import { allHalts } from '../../figures/all-pages.js';
import { hits } from '../../figures/halts.js';
import { moment, words } from '../../figures/format.js';
import { useAction } from '../../service/action.js';
import type { Bot } from '../../service/folds.js';
import { useRead } from '../../service/read.js';
import { session } from '../../session/session.js';
import { BotName } from './bot-tags.js';
import { Confirmed } from '../common/confirmed.js';
import { Failure, Field } from '../common/form.js';
import { Note, Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';

type Halt = ResponseOf<'getTradingHalts'>[number];

/** Whose trading it is. */
function Halted(props: { readonly halt: Halt; readonly bots?: readonly Bot[] }) {
  const { scope, id } = props.halt;
  if (scope === 'all') return <>everybody</>;
  if (scope === 'broker') return <>{words(id ?? '')}</>;
  if (scope === 'user') return <>all your bots</>;
  const bot = props.bots?.find(({ bot_id }) => bot_id === id);
  return bot ? <BotName bot={bot} /> : <>this bot</>;
}

/** Stops all trading of the reader's bots at once, or of one bot, and lifts that again. */
export function HaltsPanel(props: {
  /** The one bot that it is about. */
  readonly bot?: Bot;
  /** All of them, else. */
  readonly bots?: readonly Bot[];
}) {
  const { bot } = props;
  const botId = bot?.bot_id;
  const user = session.value?.userId;
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('Halted by hand.');
  const halts = useRead('halts', allHalts, 15_000);
  // Without a key: after a lost answer the halt may have been lifted, and this press must halt again.
  const halt = useAction(
    (client, fields: { scope: 'user' | 'bot'; id?: string; reason: string }) =>
      client.haltTrading(fields),
    () => {
      setOpen(false);
      halts.again();
    },
  );
  const resume = useAction(
    (client, halt_id: string, options) => client.resumeTrading({ halt_id }, options),
    halts.again,
  );
  const what = botId === undefined ? 'all your bots' : 'this bot';
  return (
    <Panel title="Emergency halt">
      <Shown of={halts} what="the halts of trading" height="2rem">
        {(all) => (
          <>
            {all
              .filter((one) => bot === undefined || hits(one, bot))
              .map((one) => (
                <Note key={one.halt_id} tone="bad">
                  <div class="row ends">
                    <span>
                      Trading is halted (<Halted halt={one} {...props} />) since{' '}
                      {moment(one.created_at)}: {one.reason}
                    </span>
                    {one.by === user ? (
                      <Confirmed
                        label="Resume trading"
                        confirm="Resume trading now"
                        consequence="Orders are sent again at once, as far as no other halt stands."
                        isBusy={resume.isBusy}
                        onConfirm={() => resume.run(one.halt_id)}
                      />
                    ) : (
                      <span class="small">Only the operator can lift it.</span>
                    )}
                  </div>
                </Note>
              ))}
          </>
        )}
      </Shown>
      {isOpen && <Field label="Reason" value={reason} onValue={setReason} maxLength={200} />}
      <Confirmed
        label={`Halt ${what}`}
        confirm={`Halt ${what} now`}
        consequence={`Within a second ${what} send no order any more. Open orders at the broker are cancelled; positions stay as they are.`}
        isOpen={isOpen}
        onOpen={setOpen}
        isBusy={halt.isBusy}
        onConfirm={() =>
          void halt.run(
            botId === undefined ? { scope: 'user', reason } : { scope: 'bot', id: botId, reason },
          )
        }
        isDanger
      />
      <Failure of={halt} />
      <Failure of={resume} />
    </Panel>
  );
}
