import { useEffect, useRef } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, Route, Router, lazy, useLocation } from 'preact-iso';
import { Note } from './parts/common/panel.js';
import { Footer, Top } from './parts/common/shell.js';
import { PAGES } from './routes.js';

const Discover = lazy(() => import('./pages/discover.js').then((page) => page.Discover));
const Strategy = lazy(() => import('./pages/strategy.js').then((page) => page.StrategyPage));
const Mine = lazy(() => import('./pages/mine.js').then((page) => page.Mine));
const NewStrategy = lazy(() => import('./pages/new-strategy.js').then((page) => page.NewStrategy));
const Bots = lazy(() => import('./pages/bots.js').then((page) => page.Bots));
const NewBot = lazy(() => import('./pages/new-bot.js').then((page) => page.NewBot));
const Bot = lazy(() => import('./pages/bot.js').then((page) => page.BotPage));
const Inbox = lazy(() => import('./pages/inbox.js').then((page) => page.InboxPage));
const Account = lazy(() => import('./pages/account.js').then((page) => page.Account));
const SignUp = lazy(() => import('./pages/sign-up.js').then((page) => page.SignUp));
const Confirm = lazy(() => import('./pages/confirm.js').then((page) => page.Confirm));
const Reset = lazy(() => import('./pages/reset-password.js').then((page) => page.ResetPassword));
const Operator = lazy(() => import('./pages/operator.js').then((page) => page.Operator));
const SignIn = lazy(() => import('./pages/sign-in.js').then((page) => page.SignIn));

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
  useEffect(() => {
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
