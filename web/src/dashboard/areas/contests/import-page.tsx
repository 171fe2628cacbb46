/** The import of contests from a file, for admins. */
import { Import } from './import.js';

const ImportPage = () => (
  <>
    <h1>Import contests</h1>
    <p className="quiet">A preview shows first what would change.</p>
    <Import />
  </>
);

export default ImportPage;
