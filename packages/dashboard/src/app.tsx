import type { ComponentType } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, Route, Router, lazy, useLocation } from 'preact-iso';
import { loaded } from './parts/common/later.js';
import { Note } from './parts/common/panel.js';
import { Footer, Top } from './parts/common/shell.js';
import { PAGES } from './routes.js';

/** A page by its script. */
const page = (load: () => Promise<ComponentType>) => lazy(() => loaded(load));

const Discover = page(() => import('./pages/discover.js').then((file) => file.Discover));
const Strategy = page(() => import('./pages/strategy.js').then((file) => file.StrategyPage));
const Mine = page(() => import('./pages/mine.js').then((file) => file.Mine));
const NewStrategy = page(() => import('./pages/new-strategy.js').then((file) => file.NewStrategy));
const Bots = page(() => import('./pages/bots.js').then((file) => file.Bots));
const NewBot = page(() => import('./pages/new-bot.js').then((file) => file.NewBot));
const Bot = page(() => import('./pages/bot.js').then((file) => file.BotPage));
const Inbox = page(() => import('./pages/inbox.js').then((file) => file.InboxPage));
const Account = page(() => import('./pages/account.js').then((file) => file.Account));
const SignUp = page(() => import('./pages/sign-up.js').then((file) => file.SignUp));
const Confirm = page(() => import('./pages/confirm.js').then((file) => file.Confirm));
const Reset = page(() => import('./pages/reset-password.js').then((file) => file.ResetPassword));
const Operator = page(() => import('./pages/operator.js').then((file) => file.Operator));
const SignIn = page(() => import('./pages/sign-in.js').then((file) => file.SignIn));

/** Links to other paths leave the dashboard: documents and reports. */
const OWN = new RegExp(
  `^(${PAGES.map((path) => path.replace(':id', '[^/?#]+')).join('|')})([?#]|$)`,
);

function NotFound() {
  return (
    <div class="stack">
      <h1>No page here</h1>
      <Note tone="caution">
        There is no such page. <a href="/">See the strategies</a>.
      </Note>
    </div>
  );
}

/** The heading of a page is its title: it tells tabs apart, and readers of the screen where they are. */
function titled(main: HTMLElement): MutationObserver {
  const told = new MutationObserver(() => {
    const heading = main.querySelector('h1')?.textContent;
    const title = heading ? `${heading} – Slipstream` : 'Slipstream';
    if (document.title !== title) document.title = title;
  });
  told.observe(main, { childList: true, characterData: true, subtree: true });
  return told;
}

function Pages() {
  const { path } = useLocation();
  const main = useRef<HTMLElement>(null);
  // Before the first page may have come.
  useLayoutEffect(() => {
    const told = main.current && titled(main.current);
    return () => told?.disconnect();
  }, []);
  // The link that was followed leaves with its page: the focus goes on to the next one.
  const arrive = (): void => {
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <Top path={path} />
      <main ref={main} id="main" tabIndex={-1}>
        <ErrorBoundary>
          <Router onRouteChange={arrive}>
            <Route path="/" component={Discover} />
            <Route path="/strategies/:id" component={Strategy} />
            <Route path="/my-strategies" component={Mine} />
            <Route path="/new-strategy" component={NewStrategy} />
            <Route path="/bots" component={Bots} />
            <Route path="/new-bot" component={NewBot} />
            <Route path="/bots/:id" component={Bot} />
            <Route path="/inbox" component={Inbox} />
            <Route path="/account" component={Account} />
            <Route path="/sign-in" component={SignIn} />
            <Route path="/sign-up" component={SignUp} />
            <Route path="/confirm" component={Confirm} />
            <Route path="/reset-password" component={Reset} />
            <Route path="/operator" component={Operator} />
            <Route default component={NotFound} />
          </Router>
        </ErrorBoundary>
      </main>
      <Footer />
    </>
  );
}

/** The whole dashboard. */
export const App = () => (
  <LocationProvider scope={OWN}>
    <Pages />
  </LocationProvider>
);
