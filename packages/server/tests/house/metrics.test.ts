import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Identifier,
  LabelName,
  UnquotedLabelMatcher,
  VectorSelector,
  parser,
} from '@prometheus-io/lezer-promql';
import { HALT_SCOPES, HOUR } from '@slipstream/domain';
import { load } from 'js-yaml';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';
import { ROOT } from '../helpers/repository.js';
import { runCommand } from '../helpers/run-command.js';

const read = (file: string): string => readFileSync(join(ROOT, 'deploy', file), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string };
}
const { groups } = load(read('alert-rules.yaml')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('grafana.json')) as {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
};
const queries = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => [title, expr.replaceAll('$__rate_interval', '5m')] as const),
  ),
];

/** The metrics that a page prints: each name with the labels of its series, empty while it has none. */
function printed(page: string): ReadonlyMap<string, ReadonlySet<string>> {
  const metrics = new Map<string, Set<string>>();
  for (const [, name = '', kind] of page.matchAll(/^# TYPE (\w+) (\w+)$/gm))
    for (const end of kind === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
      metrics.set(name + end, new Set());
  for (const [, name = '', labels = ''] of page.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm))
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) metrics.get(name)?.add(label);
  return metrics;
}

/** What is wrong with a query: its grammar, a metric that nobody prints, or a label that its metric has not. */
function problemsOf(query: string, page: string): string[] {
  const metrics = printed(page);
  const problems: string[] = [];
  const textOf = ({ from, to }: { readonly from: number; readonly to: number }): string =>
    query.slice(from, to);
  parser.parse(query).iterate({
    enter({ type, node }) {
      if (type.isError) problems.push(`the grammar at ${node.from}`);
      if (type.id !== VectorSelector) return;
      const name = textOf(node.getChild(Identifier) ?? { from: 0, to: 0 });
      const labels = metrics.get(name);
      if (!labels) problems.push(name);
      const asked = node.getChild('LabelMatchers')?.getChildren(UnquotedLabelMatcher) ?? [];
      for (const matcher of asked) {
        const label = textOf(matcher.getChild(LabelName) ?? { from: 0, to: 0 });
        if (labels && labels.size > 0 && !labels.has(label)) problems.push(`${name}.${label}`);
      }
    },
  });
  return problems;
}

describe('the metrics of the service', () => {
  let server: ComposedServer;
  let page: string;

  /** A strategy with alerts and orders, and a bot that mirrors it at the simulated broker. */
  beforeAll(async () => {
    server = await composedServer({ environment: { TRADING_HOURS: 'always' } });
    const ada = await server.user('ada');
    const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'Mine' }, ada);
    await server.quotes({ 'AAPL:NASDAQ': 100 });
    const alert = { strategy_id, action: 'buy', leverage: '1' };
    await server.ask('newOrderWebhook', { ...alert, stock_id: 'AAPL:NASDAQ' }, ada);
    await server.attempt('newOrderWebhook', { ...alert, stock_id: 'NONE:NASDAQ' }, ada);
    const limit = { strategy_id, stock_id: 'AAPL:NASDAQ', action: 'buy', amount: '0.001' };
    await server.ask('newOrder', { ...limit, type: 'limit', price: '1' }, ada);
    const allocations = [{ strategy_id, percent: '1' }];
    const bot = { type: 'stock', broker: 'simulated', allocations, credentials: {} };
    const { bot_id } = await server.ask('newBot', bot, ada);
    await server.ask('startBot', { bot_id }, ada);
    for (let turn = 0; turn < 3; turn += 1) {
      await server.application.background.runBots();
      server.clock.advance(60_000);
      await server.quotes({ 'AAPL:NASDAQ': 100 });
    }
    page = (await server.call('GET', '/metrics')).text;
  });
  afterAll(() => server.close());

  it.each([
    'slipstream_alerts_total{verdict="accepted"} 1',
    'slipstream_alerts_total{verdict="refused"} 1',
    'slipstream_alerts_total{verdict="superseded"} 0',
    'slipstream_orders_total{state="opened"} 2',
    'slipstream_orders_total{state="filled"} 1',
    'slipstream_bot_breaches_total 0',
    'slipstream_bots{status="running"} 1',
    'slipstream_bots{status="error"} 0',
    'slipstream_bots_away{broker="simulated"} 0',
    'slipstream_strategies 1',
    'slipstream_failed_mails 0',
    'slipstream_failed_payments 0',
    'slipstream_delivery_attempts_total{result="delivered"} 0',
    'slipstream_trading_halts{scope="all"} 0',
  ])('have %s', (line) => expect(page.split('\n')).toContain(line));

  it('count the orders of bots, and time the requests to brokers by what came of them', () => {
    expect(page).toMatch(/^slipstream_bot_orders_total\{status="filled"\} [1-9]/m);
    const placed = 'broker="simulated",request="place",result="answered"';
    expect(page).toMatch(
      new RegExp(`^slipstream_broker_request_seconds_count\\{${placed}\\} [1-9]`, 'm'),
    );
  });

  it('name no user, strategy or stock', () => {
    expect(page).not.toMatch(/AAPL|Mine|ada@/);
  });

  it('are what every query of the dashboard and the alert rules asks for', () => {
    expect(queries.length).toBeGreaterThan(30);
    const wrong = queries.flatMap(([name, query]) =>
      problemsOf(query, page).map((problem) => `${name}: ${problem}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['sum(rate(slipstream_alert_total[5m]))', 'slipstream_alert_total'],
    ['slipstream_http_request_seconds > 1', 'slipstream_http_request_seconds'],
    ['slipstream_alerts_total{result="refused"}', 'slipstream_alerts_total.result'],
    ['sum by (status slipstream_bots', 'the grammar'],
  ])('show that %s asks for something else', (query, problem) => {
    expect(problemsOf(query, page).join()).toContain(problem);
  });

  it('say nothing of a disk where the database is none of this machine', () => {
    expect(page).toContain('# TYPE slipstream_disk_free_bytes gauge');
    expect(page).not.toMatch(/^slipstream_disk_free_bytes /m);
  });

  it('are totals, by kind and name, wherever a query asks how fast they grow', () => {
    const totals = new Set(
      [...page.matchAll(/^# TYPE (\w+) (counter|histogram)$/gm)].flatMap(([, name = '', kind]) =>
        kind === 'counter' ? [name] : [`${name}_bucket`, `${name}_count`],
      ),
    );
    const asked = queries.flatMap(([, query]) => [
      ...query.matchAll(/\b(?:rate|increase)\((\w+)/g),
    ]);
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.map(([, name = '']) => name).filter((name) => !totals.has(name))).toEqual([]);
    const counters = [...page.matchAll(/^# TYPE (\w+) counter$/gm)].map(([, name = '']) => name);
    expect(counters.filter((name) => !name.endsWith('_total'))).toEqual([]);
  });

  it('call the operator for no halt that a user set for themselves', () => {
    const halted = rules.find(({ alert }) => alert === 'SlipstreamHalted')?.expr ?? '';
    const [, scopes = '.*'] = /\{scope=~"(.*)"\}/.exec(halted) ?? [];
    const watched = HALT_SCOPES.filter((scope) => new RegExp(`^(${scopes})$`).test(scope));
    expect(watched).toEqual(['all', 'broker']);
  });

  it('count no bot as away that waits for its exchange, or that its owner holds back', async () => {
    const other = await composedServer({ environment: { TRADING_HOURS: 'exchange' } });
    try {
      const ben = await other.user('ben');
      const { strategy_id } = await other.ask('newStrategy', { type: 'stock', name: 'B' }, ben);
      await other.quotes({ 'AAPL:NASDAQ': 100 });
      const alert = { strategy_id, action: 'buy', stock_id: 'AAPL:NASDAQ' };
      await other.ask('newOrderWebhook', alert, ben);
      other.clock.advance(8 * HOUR);
      const allocations = [{ strategy_id, percent: '1' }];
      const bot = { type: 'stock', broker: 'simulated', allocations, credentials: {} };
      const { bot_id } = await other.ask('newBot', bot, ben);
      await other.ask('startBot', { bot_id }, ben);
      await other.application.background.runBots();
      const away = async () =>
        /^slipstream_bots_away\{.*\} (\d)$/m.exec((await other.call('GET', '/metrics')).text)?.[1];
      const inTheNight = await away();
      other.clock.advance(16 * HOUR);
      const inSession = await away();
      await other.ask('updateBot', { bot_id, mode: 'paused' }, ben);
      expect([inTheNight, inSession, await away()]).toEqual(['0', '1', '0']);
    } finally {
      await other.close();
    }
  });

  it('are named as they are in the page on deploying', () => {
    const named = [...read('README.md').matchAll(/`(slipstream_\w+)`/g)].map(
      ([, name = '']) => name,
    );
    expect(named.length).toBeGreaterThan(10);
    const there = [...page.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);
    expect(named.filter((name) => !there.includes(name))).toEqual([]);
  });

  it('send the operator to commands that exist', async () => {
    const { out } = await runCommand(['--help'], {});
    const commands = rules.flatMap(({ annotations: { summary } }) =>
      [...summary.matchAll(/main\.js ([a-z -]+) (?:says|checks)/g)].map(([, words = '']) => words),
    );
    expect(commands).toHaveLength(2);
    for (const command of commands) expect(out).toMatch(new RegExp(`^  ${command} \\[`, 'm'));
  });

  it('are shown and watched once each', () => {
    const names = [
      ...rules.map(({ alert }) => alert),
      ...dashboard.panels.map(({ title }) => title),
    ];
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    expect(rules.filter(({ annotations }) => annotations.summary === '')).toEqual([]);
  });
});
