import { namesOf } from '../../figures/names.js';
import type { Settings } from '../../figures/settings.js';
import { WHOLE } from '../common/decimal-field.js';
import { useEdits } from '../common/edits.js';
import { Check, Field } from '../common/form.js';
import { TextField } from './text-field.js';

/** The settings as fields take them. */
const textsOf = (settings: Settings) => ({
  ...settings,
  categories: settings.categories.join(', '),
  price: String(settings.price),
});

/** The fields of a strategy that its owner sets, and what was typed into them. */
export function useStrategyFields(present: Settings) {
  const texts = textsOf(present);
  const { shown, set, keep } = useEdits(texts);
  const { categories, price } = shown;
  // A name may have a comma of its own.
  const isSame = categories === texts.categories;
  return {
    settings: {
      ...shown,
      categories: isSame ? present.categories : namesOf(categories),
      price: Number(price),
    },
    keep,
    fields: (
      <>
        <Field
          label="Name"
          required
          maxLength={100}
          value={shown.name}
          onValue={(name) => set({ name })}
        />
        <TextField
          label="Description"
          rows={4}
          maxLength={5000}
          value={shown.description}
          onValue={(description) => set({ description })}
        />
        <div class="fields">
          <Field
            label="Categories"
            value={categories}
            onValue={(next) => set({ categories: next })}
            hint="Up to ten, with commas between them."
          />
          <Field
            label="Price a month, whole USD"
            {...WHOLE}
            required
            value={price}
            onValue={(next) => set({ price: next })}
            hint="0 is free. Followers pay it each month."
          />
        </div>
        <Check
          label="Private: only you, your followers and whom you invite see it"
          checked={shown.private}
          onValue={(isPrivate) => set({ private: isPrivate })}
        />
      </>
    ),
  };
}
