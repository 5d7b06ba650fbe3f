import { useLocation } from 'preact-iso';
import { endOf } from '../../figures/settings.js';
import { useAction } from '../../service/action.js';
import type { Strategy } from '../../service/records.js';
import { Confirmed } from '../common/confirmed.js';
import { Failure } from '../common/form.js';

/** Removes the claimed history, or ends the strategy. */
export function EndPanel(props: { readonly strategy: Strategy; readonly onChange: () => void }) {
  const { strategy } = props;
  const { strategy_id: id } = strategy;
  const { route } = useLocation();
  const end = useAction(
    (client, strategy_id: string, options) => client.deleteStrategy({ strategy_id }, options),
    () => route('/my-strategies', true),
  );
  const unclaim = useAction(
    (client, strategy_id: string, options) => client.deleteClaimedHistory({ strategy_id }, options),
    props.onChange,
  );
  return (
    <>
      <h3>Remove</h3>
      <div class="row top-aligned">
        {strategy.claimed && (
          <Confirmed
            label="Remove the claimed history"
            confirm="Remove it"
            consequence="The dashed curve before your record goes for everybody. The record stays as it is."
            isBusy={unclaim.isBusy}
            onConfirm={() => unclaim.run(id)}
            isDanger
          />
        )}
        <Confirmed
          label="End the strategy"
          confirm="End it for ever"
          consequence={
            <ul>
              {endOf(strategy).map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          }
          isBusy={end.isBusy}
          onConfirm={() => end.run(id)}
          isDanger
        />
      </div>
      <Failure of={unclaim} />
      <Failure of={end} />
    </>
  );
}
