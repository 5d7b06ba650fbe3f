import type { ResponseOf } from '@slipstream/wire';
import { useState } from 'preact/hooks';
import { moment } from '../../figures/format.js';
import { useAction } from '../../service/action.js';
import { clientWith } from '../../session/session.js';
import { Confirmed } from '../common/confirmed.js';
import { Failure, Field, Form } from '../common/form.js';
import { More } from '../common/more.js';
import { Panel } from '../common/panel.js';

/** The most halts that the service tells here. */
const MOST = 100;

/** The halts of everybody, and one for all trading. */
export function HaltsOfAll(props: {
  readonly token: string;
  readonly halts: ResponseOf<'getOverview'>['halts'];
  readonly onChange: () => void;
}) {
  const { token, halts, onChange } = props;
  const [reason, setReason] = useState('');
  const [isOpen, setOpen] = useState(false);
  // Without a key: after a lost answer the halt may have been lifted, and this press must halt again.
  const halt = useAction(
    (_, text: string) => clientWith(token).haltTrading({ scope: 'all', reason: text }),
    () => {
      setOpen(false);
      setReason('');
      onChange();
    },
  );
  const resume = useAction(
    (_, halt_id: string, options) => clientWith(token).resumeTrading({ halt_id }, options),
    onChange,
  );
  return (
    <Panel title="Halts">
      <ul class="list">
        {halts.length === 0 && <li class="quiet">None.</li>}
        {halts.map((one) => (
          <li key={one.halt_id} class="row ends">
            <span>
              <b>{one.scope}</b> {one.id} · {one.reason}{' '}
              <span class="small quiet">{moment(one.created_at)}</span>
            </span>
            {one.by === 'operator' && (
              <button
                type="button"
                aria-disabled={resume.isBusy}
                onClick={() => void resume.run(one.halt_id)}
              >
                Lift
              </button>
            )}
          </li>
        ))}
      </ul>
      <More is={halts.length >= MOST} said={`The latest ${MOST}. getTradingHalts has all.`} />
      <Form label="Halt all trading" onSubmit={() => setOpen(true)}>
        <Field label="Reason" required maxLength={200} value={reason} onValue={setReason} />
        <Confirmed
          label="Halt all trading"
          confirm="Halt all trading now"
          consequence="Every bot of everybody stops sending orders within a second. Open orders at the brokers are cancelled; positions stay as they are."
          isOpen={isOpen}
          onOpen={setOpen}
          isBusy={halt.isBusy}
          onConfirm={() => halt.run(reason.trim())}
          isDanger
          isSubmit
        />
      </Form>
      <Failure of={halt} />
      <Failure of={resume} />
    </Panel>
  );
}
