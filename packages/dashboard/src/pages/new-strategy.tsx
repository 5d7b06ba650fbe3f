import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Check, Choice, Failure, Field, Form, TextField } from '../parts/common/form.js';
import { Panel } from '../parts/common/panel.js';
import { SignedIn } from '../parts/common/signed-in.js';
import { useAction } from '../service/action.js';

interface Fields {
  readonly type: 'stock' | 'cryptocurrency';
  readonly name: string;
  readonly description: string;
  readonly private: boolean;
  readonly price: number;
}

/** Publishes a strategy of the reader. */
export function NewStrategy() {
  const { route } = useLocation();
  const [type, setType] = useState<Fields['type']>('stock');
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [price, setPrice] = useState('0');
  const [isPrivate, setPrivate] = useState(true);
  const make = useAction(
    (client, fields: Fields, options) => client.newStrategy(fields, options),
    ({ strategy_id }) => route(`/strategies/${strategy_id}`),
  );
  return (
    <SignedIn>
      <div class="stack narrow">
        <h1>New strategy</h1>
        <Panel title="What it is">
          <Form
            onSubmit={() =>
              void make.run({
                type,
                name: name.trim(),
                description,
                private: isPrivate,
                price: Number(price.trim()),
              })
            }
          >
            <Field label="Name" required maxLength={100} value={name} onValue={setName} />
            <Choice
              label="Trades"
              value={type}
              options={[
                ['stock', 'stocks'],
                ['cryptocurrency', 'coins'],
              ]}
              onValue={setType}
            />
            <TextField
              label="Description"
              rows={4}
              maxLength={5000}
              value={description}
              onValue={setDescription}
            />
            <Field
              label="Price a month, whole USD"
              inputMode="numeric"
              required
              value={price}
              onValue={setPrice}
              hint="0 is free. Followers pay it each month."
            />
            <Check
              label="Private: only you and whom you invite see it"
              checked={isPrivate}
              onValue={setPrivate}
            />
            <Failure of={make} />
            <button class="primary" disabled={make.isBusy}>
              Make the strategy
            </button>
          </Form>
        </Panel>
      </div>
    </SignedIn>
  );
}
