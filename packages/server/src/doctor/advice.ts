import type { Finding } from './finding.js';

/** What to mend, what does not work first, and nothing twice: several findings may have one cause. */
export function advice(findings: readonly Finding[]): string {
  const rest = ['bad', 'doubtful'].flatMap((state) =>
    findings.filter((one) => one.state === state),
  );
  const lines = new Set(rest.map(({ about, mend = '' }) => `${about}: ${mend}`));
  if (lines.size === 0) return 'All is well.';
  return `To mend, in this order:\n${[...lines].map((line, index) => `  ${index + 1}. ${line}`).join('\n')}`;
}
