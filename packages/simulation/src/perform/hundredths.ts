import { type Decimal, decimal } from '@slipstream/domain';

/** Stories contain whole numbers: 150 means 1.5. */
export const hundredths = (whole: number): Decimal => decimal(String(whole)).times(decimal('0.01'));
