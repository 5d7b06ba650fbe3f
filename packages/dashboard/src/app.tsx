import type { ComponentType } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, Route, Router, lazy, useLocation } from 'preact-iso';
import { loaded } from './parts/common/later.js';
import { Note } from './parts/common/panel.js';
import { Footer, Top } from './parts/common/shell.js';
import type { PagePath } from './routes.js';
import { goToPlace, keepPlaces } from './service/kept-place.js';

/** A page by its script. */
const page = (load: () => Promise<ComponentType>) => lazy(() => loaded(load));

const COMPONENTS = {
  '/': page(() => import('./pages/discover.js').then((file) => file.Discover)),
  '/strategies/:id': page(() => import('./pages/strategy.js').then((file) => file.StrategyPage)),
  '/my-strategies': page(() => import('./pages/mine.js').then((file) => file.Mine)),
  '/new-strategy': page(() => import('./pages/new-strategy.js').then((file) => file.NewStrategy)),
  '/bots': page(() => import('./pages/bots.js').then((file) => file.Bots)),
  '/new-bot': page(() => import('./pages/new-bot.js').then((file) => file.NewBot)),
  '/bots/:id': page(() => import('./pages/bot.js').then((file) => file.BotPage)),
  '/inbox': page(() => import('./pages/inbox.js').then((file) => file.InboxPage)),
  '/account': page(() => import('./pages/account.js').then((file) => file.Account)),
  '/sign-in': page(() => import('./pages/sign-in.js').then((file) => file.SignIn)),
  '/sign-up': page(() => import('./pages/sign-up.js').then((file) => file.SignUp)),
  '/confirm': page(() => import('./pages/confirm.js').then((file) => file.Confirm)),
  '/reset-password': page(() =>
    import('./pages/reset-password.js').then((file) => file.ResetPassword),
  ),
  '/operator': page(() => import('./pages/operator.js').then((file) => file.Operator)),
} satisfies Record<PagePath, ComponentType>;

/** Links to other paths leave the dashboard: documents and reports. */
const OWN = new RegExp(
  `^(${Object.keys(COMPONENTS).join('|').replaceAll(':id', '[^/?#]+')})([?#]|$)`,
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
    keepPlaces();
    goToPlace();
    return () => told?.disconnect();
  }, []);
  // The link that was followed leaves with its page: the focus goes on to the next one.
  const arrive = (): void => {
    goToPlace();
    main.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <Top path={path} />
      <main ref={main} id="main" tabIndex={-1}>
        <ErrorBoundary>
          <Router onRouteChange={arrive}>
            {Object.entries(COMPONENTS).map(([path, component]) => (
              <Route key={path} path={path} component={component} />
            ))}
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
