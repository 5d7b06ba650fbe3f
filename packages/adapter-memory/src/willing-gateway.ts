import type { PaymentGateway } from '@slipstream/ports';

/** Takes every payment source and pays everything, at once and without a trace. */
export const willingGateway = (): PaymentGateway => ({
  name: 'willing',
  productId: (strategyId) => `product-${strategyId}`,
  link: async ({ token }) => ({ ref: token, type: 'card', description: 'A card' }),
  unlink: async () => undefined,
  charge: async ({ key }) => ({ kind: 'paid', ref: `charge-${key}`, lookAgainAt: null }),
  refund: async () => ({ kind: 'done' }),
  standing: async () => ({ kind: 'paid', lookAgainAt: null }),
  payOut: async () => ({ kind: 'done' }),
});
