import { useState } from 'preact/hooks';
import { namesOf } from '../../figures/names.js';
import type { Settings } from '../../figures/settings.js';
import { Check, Field, TextField } from '../common/form.js';

/** The fields of a strategy that its owner sets, and what was typed into them. */
export function useStrategyFields(first: Settings) {
  const [settings, setSettings] = useState(first);
  const [categories, setCategories] = useState(first.categories.join(', '));
  const [price, setPrice] = useState(String(first.price));
  const set = (part: Partial<Settings>): void => setSettings({ ...settings, ...part });
  return {
    settings: { ...settings, categories: namesOf(categories), price: Number(price) },
    fields: (
      <>
        <Field
          label="Name"
          required
          maxLength={100}
          value={settings.name}
          onValue={(name) => set({ name })}
        />
        <TextField
          label="Description"
          rows={4}
          maxLength={5000}
          value={settings.description}
          onValue={(description) => set({ description })}
        />
        <div class="fields">
          <Field
            label="Categories"
            value={categories}
            onValue={setCategories}
            hint="Up to ten, with commas between them."
          />
          <Field
            label="Price a month, whole USD"
            inputMode="numeric"
            required
            value={price}
            onValue={setPrice}
            hint="0 is free. Followers pay it each month."
          />
        </div>
        <Check
          label="Private: only you, your followers and whom you invite see it"
          checked={settings.private}
          onValue={(isPrivate) => set({ private: isPrivate })}
        />
      </>
    ),
  };
}
