import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import type { Settings } from '../figures/settings.js';
import { Choice, Failure, Form } from '../parts/common/form.js';
import { Panel } from '../parts/common/panel.js';
import { SignedIn } from '../parts/common/signed-in.js';
import { useStrategyFields } from '../parts/owner/strategy-fields.js';
import { useAction } from '../service/action.js';

const EMPTY: Settings = { name: '', description: '', categories: [], price: 0, private: true };

/** Publishes a strategy of the reader. */
export function NewStrategy() {
  const { route } = useLocation();
  const [type, setType] = useState<'stock' | 'cryptocurrency'>('stock');
  const { settings, fields } = useStrategyFields(EMPTY);
  const make = useAction(
    (client, { categories, ...others }: Settings & { readonly type: typeof type }, options) =>
      client.newStrategy({ ...others, categories: [...categories] }, options),
    ({ strategy_id }) => route(`/strategies/${strategy_id}`),
  );
  return (
    <SignedIn>
      <div class="stack narrow">
        <h1>New strategy</h1>
        <Panel title="What it is">
          <Form onSubmit={() => void make.run({ type, ...settings })}>
            <Choice
              label="Trades"
              value={type}
              options={[
                ['stock', 'stocks'],
                ['cryptocurrency', 'coins'],
              ]}
              onValue={setType}
              hint="It cannot be changed later."
            />
            {fields}
            <Failure of={make} />
            <button class="primary" aria-disabled={make.isBusy}>
              Make the strategy
            </button>
          </Form>
        </Panel>
      </div>
    </SignedIn>
  );
}
