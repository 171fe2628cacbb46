/** The export of one contest, and for admins the import of a file. */
import { useParams } from 'wouter';
import { useAccount, useApiPath } from '../../account.js';
import { Import } from './import.js';

const Exchange = () => {
  const { competitionId = '' } = useParams<{ competitionId?: string }>();
  const { role } = useAccount();
  const path = useApiPath()(`moderation/contests/${competitionId}/export`);
  return (
    <>
      <h2>Export</h2>
      <ul className="exports">
        <li>
          <a href={`${path}?format=wcif`} download>
            WCIF
          </a>
          <span className="quiet">: the association’s format, with all data of the contest</span>
        </li>
        <li>
          <a href={`${path}?format=wcif&wcifVersion=2`} download>
            WCIF 2
          </a>
          <span className="quiet">: its newer version, for programs that ask for it</span>
        </li>
        <li>
          <a href={`${path}?format=csv`} download>
            CSV
          </a>
          <span className="quiet">: a table of its results</span>
        </li>
      </ul>
      {role === 'admin' && (
        <>
          <h2>Import</h2>
          <p className="quiet">
            If the contest exists already, an import adds what is missing. Existing rounds and results stay as
            they are; the preview shows what differs.
          </p>
          <Import />
        </>
      )}
    </>
  );
};

export default Exchange;
