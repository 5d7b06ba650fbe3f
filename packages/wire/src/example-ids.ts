/** Ids that the examples share. */
export const ids = {
  user: '01988f4e-0a10-7c3e-9f63-5d2a1b7c4e01',
  token: '01988f4e-0a11-7b52-8d11-6e0f2a9b3c02',
  strategy: '01988f4e-0a12-7d87-a4c5-1f3b5d7e9a03',
  stock: '01988f4e-0a13-7e19-b2d6-0c2e4f6a8b04',
  order: '01988f4e-0a14-7a43-8e70-9b1d3f5a7c05',
  trade: '01988f4e-0a15-7f65-9a82-8a0c2e4f6b06',
  subscription: '01988f4e-0a16-7c21-b394-7f9e1d3b5a07',
  bot: '01988f4e-0a17-7b09-84a6-6e8d0c2b4f08',
  notification: '01988f4e-0a18-7d31-9c55-4a1e6b8d2f09',
  post: '01988f4e-0a19-7a6f-b1c7-8e3d5f7a9b0a',
  halt: '01988f4e-0a1a-7c95-a3e8-2d4f6b8c0e0b',
  connection: '01988f4e-0a1b-7e53-b6a9-3f5a7c9d1e0c',
  plan: '01988f4e-0a1c-7f27-8b5d-4e6a9c1d3f0d',
  endpoint: '01988f4e-0a1e-7a37-95d2-4b6d8f0a2c0d',
  delivery: '01988f4e-0a1d-7c19-a7e4-5c7e9a1b3d0e',
} as const;
export const AT = '2026-01-30T14:30:00.000Z';
