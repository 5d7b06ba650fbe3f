import { type Decimal, decimal } from '@slipstream/domain';

/** 150 is 1.5: stories hold whole numbers. */
export const hundredths = (whole: number): Decimal => decimal(String(whole)).times(decimal('0.01'));
