import type { Command } from 'commander';
import { SettingError } from '../../settings/setting-error.js';
import type { ServerSettings } from '../../settings/settings.js';
import { type WithAdapters, takingAdapters } from './foreign-adapters.js';
import { printError, print } from '../output.js';
import type { Environment } from '../remote.js';

/** Only commands that need the server's part load it, so that the others start faster. */
const loaded = async () => ({
  ...(await import('./run-server.js')),
  ...(await import('../read-environment.js')),
});

/** The file of the demo, beside its database; a demo in memory has no file and is new each time. */
const demoFile = ({ DATABASE_URL: url }: ServerSettings): string | undefined =>
  url.kind === 'sqlite' ? `${url.file}.demo.json` : undefined;

/** `serve` and `demo` run a server until a signal ends it. */
export function serving(program: Command, environment: Environment): void {
  takingAdapters(program.command('serve'))
    .description('run the server')
    .action(async (options: WithAdapters) => {
      const { readEnvironment, runNode, runServer } = await loaded();
      const settings = readEnvironment(environment);
      const tell = (url: string): void => printError(`Listening on ${url}`);
      if (settings.NODE_URL === undefined)
        await runServer(settings, options.with, ({ url }) => tell(url));
      else
        await runNode(settings, options.with, ({ url, serves }) => {
          tell(url);
          void serves.then(() => printError('This node serves'));
        });
    });

  takingAdapters(program.command('demo'))
    .description('run the server with a demo strategy, a follower and a running bot')
    .action(async (options: WithAdapters) => {
      const { readEnvironment, runServer } = await loaded();
      const settings = readEnvironment({ LOG_LEVEL: 'warn', ...environment });
      if (settings.MARKET === 'push' || settings.MARKET === 'live')
        throw new SettingError(
          'MARKET must be demo or replay, because the demo trades as soon as it starts',
        );
      if (settings.NODE_URL !== undefined)
        throw new SettingError('NODE_URL must not be set, because the demo runs in one process');
      const { demoGuide, openDemo } = await import('../../demo.js');
      const { outboxFolder } = await import('../../composition/mail.js');
      // Adapters of a host may send mails themselves.
      const isFolder = settings.SMTP_URL === undefined && options.with === undefined;
      const outbox = isFolder ? outboxFolder(settings) : undefined;
      await runServer(settings, options.with, async ({ application, url, notice }) => {
        const demo = await openDemo(application, demoFile(settings));
        print(demoGuide(demo, { url, notice, outbox, program: program.name() }));
      });
    });
}
