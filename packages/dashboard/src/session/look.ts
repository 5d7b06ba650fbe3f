import { effect, signal } from '@preact/signals';

const kept = (name: string): string | null => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};
const keep = (name: string, value: string): void => {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The reader allows no storage: the choice holds for this page alone.
  }
};

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** How the pages look: as the reader's system, light or dark. */
export const theme = signal<Theme>(THEMES.find((one) => one === kept('theme')) ?? 'system');
/** Whether amounts of money are hidden, for readers who are not alone. */
export const isDiscreet = signal(kept('discreet') === 'yes');

const narrow = matchMedia('(max-width: 44rem)');
/** Whether the screen is a phone's. */
export const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', () => (isNarrow.value = narrow.matches));

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
  keep('theme', theme.value);
});
effect(() => {
  document.documentElement.classList.toggle('discreet', isDiscreet.value);
  keep('discreet', isDiscreet.value ? 'yes' : 'no');
});

/** The next of the looks. */
export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
}
