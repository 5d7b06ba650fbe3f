import './style/tokens.css';
import './style/base.css';
import './style/parts.css';
import { render } from 'preact';
import { App } from './app.js';
import { openSession } from './session/session.js';

await openSession();
const root = document.getElementById('app');
if (root) render(<App />, root);

// A link that is opened where its path is shown already loads no page.
addEventListener('hashchange', () => /^#(token|code)=/.test(location.hash) && location.reload());
