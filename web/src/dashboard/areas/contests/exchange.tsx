/** One contest out as a file, and for admins a file in. */
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
          <span className="quiet">
            : the association’s format, with everything that Podium knows of the contest
          </span>
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
            Of a contest that is there, an import completes what is missing. It never changes rounds or
            results that are there; the preview names what differs.
          </p>
          <Import />
        </>
      )}
    </>
  );
};

export default Exchange;
