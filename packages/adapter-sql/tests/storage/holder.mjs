// Opens the database that the argument names and goes on saving accounts, telling each one once it is durable.
import { openSqlite } from '../../dist/index.js';

const storage = await openSqlite({
  path: process.argv[2],
  onLost: () => process.kill(process.pid, 'SIGKILL'),
});
process.stdout.write('open\n');
for (let n = 0; ; n += 3) {
  const accounts = [n, n + 1, n + 2].map((number) => `account-${number}`);
  const save = async (account) => {
    await storage.run(({ brokerAccounts }) => brokerAccounts.save(account, 'kept'));
    process.stdout.write(`${account}\n`);
  };
  await Promise.all(accounts.map(save));
}
