/** Contests from a file, for admins. */
import { Import } from './import.js';

const ImportPage = () => (
  <>
    <h1>Import contests</h1>
    <p className="quiet">You see what would change before anything does.</p>
    <Import />
  </>
);

export default ImportPage;
