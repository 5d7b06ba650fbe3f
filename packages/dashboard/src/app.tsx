import { ErrorBoundary, LocationProvider, Route, Router, lazy, useLocation } from 'preact-iso';
import { Note } from './parts/panel.js';
import { Footer, Top } from './parts/shell.js';
import { PAGES } from './routes.js';

const Discover = lazy(() => import('./pages/discover.js').then((page) => page.Discover));
const Strategy = lazy(() => import('./pages/strategy.js').then((page) => page.StrategyPage));
const SignIn = lazy(() => import('./pages/sign-in.js').then((page) => page.SignIn));

/** Links to other paths leave the dashboard: documents and reports. */
const OWN = new RegExp(
  `^(${PAGES.map((path) => path.replace(':id', '[^/?#]+')).join('|')})([?#]|$)`,
);

function NotFound() {
  return (
    <Note tone="caution">
      There is no such page. <a href="/">See the strategies</a>.
    </Note>
  );
}

function Pages() {
  const { path } = useLocation();
  return (
    <>
      <Top path={path} />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary>
          <Router onRouteChange={() => scrollTo(0, 0)}>
            <Route path="/" component={Discover} />
            <Route path="/strategies/:id" component={Strategy} />
            <Route path="/sign-in" component={SignIn} />
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
