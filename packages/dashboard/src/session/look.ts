import { effect, signal } from '@preact/signals';
import { keep, kept } from './kept.js';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** How the pages look: as the reader's system, light or dark. */
export const theme = signal<Theme>(
  THEMES.find((one) => one === kept('localStorage', 'theme')) ?? 'system',
);
/** Whether amounts of money are hidden, for readers who are not alone. */
export const isDiscreet = signal(kept('localStorage', 'discreet') === 'yes');

const narrow = matchMedia('(max-width: 44rem)');
/** Whether the screen is a phone's. */
export const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', () => (isNarrow.value = narrow.matches));

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
  keep('localStorage', 'theme', theme.value);
});
effect(() => {
  document.documentElement.classList.toggle('discreet', isDiscreet.value);
  keep('localStorage', 'discreet', isDiscreet.value ? 'yes' : 'no');
});

/** The next of the looks. */
export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
}
