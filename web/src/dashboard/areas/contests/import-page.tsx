/** What admins import from files: contests, and the reference records of the space. */
import { Import } from './import.js';
import { References } from './references.js';

const ImportPage = () => (
  <>
    <h1>Import contests</h1>
    <p className="quiet">A preview shows first what would change.</p>
    <Import />
    <References />
  </>
);

export default ImportPage;
