/** The key of a paper account at the stand-in of Alpaca. */
export const accountKey = (index: number) => ({
  key_id: `PK${String(index).padStart(10, '0')}`,
  secret_key: `secret-of-account-${index}`,
});
