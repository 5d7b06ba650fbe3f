import type { ResponseOf } from '@slipstream/wire';
import { useEffect, useState } from 'preact/hooks';
import { words } from '../../figures/format.js';
import { useAction } from '../../service/action.js';
import { channel } from '../../session/kept.js';
import { Failure, Field } from '../common/form.js';
import { Note } from '../common/panel.js';

/** An account that was connected; a bot takes it within an hour. */
export type Granted = ResponseOf<'finishConnection'>;

/** The code of a broker, with the state that it belongs to. */
interface Given {
  readonly code: string;
  readonly state: string;
}

/** Where the page /connect of this service tells what the broker gave. */
const CHANNEL = 'slipstream-connect';

/** Connects an account on the broker's own page, so that nobody types keys here. */
export function ConnectBroker(props: {
  readonly broker: string;
  readonly granted: Granted | null;
  readonly onGranted: (granted: Granted | null) => void;
}) {
  const { broker, granted, onGranted } = props;
  const [given, setGiven] = useState<Given>({ code: '', state: '' });
  const ask = useAction((client, name: string, options) =>
    client.newConnection({ broker: name }, options),
  );
  const finish = useAction(
    (client, fields: Given, options) => client.finishConnection(fields, options),
    onGranted,
  );
  const url = ask.answer?.url;
  const { run } = finish;
  useEffect(() => {
    if (url === undefined) return undefined;
    const asked = new URL(url).searchParams.get('state');
    const told = channel(CHANNEL);
    // The code of another state may be a stranger's account.
    told.onmessage = ({ data }: MessageEvent<Given>) => {
      if (data.state === asked) void run(data);
    };
    return () => told.close();
  }, [url, run]);
  if (granted)
    return (
      <Note tone="good">
        <div class="row ends">
          <span>
            Connected: <b>{granted.label}</b>. Go on only if it is yours.
          </span>
          <button type="button" onClick={() => onGranted(null)}>
            Not this one
          </button>
        </div>
      </Note>
    );
  return (
    <div class="stack tight" role="group" aria-label="Connect on the broker's page">
      {url === undefined ? (
        <div class="row">
          <button type="button" aria-disabled={ask.isBusy} onClick={() => void ask.run(broker)}>
            Connect on the page of {words(broker)} instead
          </button>
          <span class="small quiet">Then you need no keys.</span>
        </div>
      ) : (
        <>
          <p>
            <a class="button" href={url} target="_blank" rel="noreferrer">
              Open the page of the broker
            </a>{' '}
            <span class="small quiet">
              Sign in there and allow the access, within ten minutes. This page goes on by itself.
            </span>
          </p>
          <details>
            <summary>It does not go on</summary>
            <div class="fields">
              <Field
                label="Code"
                autocomplete="off"
                value={given.code}
                onValue={(code) => setGiven({ ...given, code })}
              />
              <Field
                label="State"
                autocomplete="off"
                value={given.state}
                onValue={(state) => setGiven({ ...given, state })}
              />
            </div>
            <button type="button" aria-disabled={finish.isBusy} onClick={() => void run(given)}>
              Finish
            </button>
          </details>
        </>
      )}
      <Failure of={ask} />
      <Failure of={finish} />
    </div>
  );
}
