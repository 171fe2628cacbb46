/** Hydrates the page that the server has rendered. */
import './styles/base.css';
import './styles/contest.css';
import './styles/docs.css';
import './styles/print-contest.css';
import './styles/schedule.css';
import './styles/score-cards.css';
import './styles/screen.css';
import { hydrateRoot } from 'react-dom/client';
import type { PageModel } from '../../src/pages/page-models.js';
import { Page } from './page.js';

const root = document.getElementById('page');
const data = document.getElementById('model')?.textContent;

if (root && data) {
  const model: PageModel = JSON.parse(data);
  hydrateRoot(root, <Page model={model} />);
}
