/** The holder of a reference record: a name without a link, marked so that no reader takes it for a result of this server. */
import type { ReferenceView } from '../../../src/competition/records/reference-views.js';

export const ReferenceHolder = ({
  reference: { who },
}: {
  readonly reference: Pick<ReferenceView, 'who'>;
}) => (
  <>
    {who !== null && <bdi>{who}</bdi>}{' '}
    <span
      className="quiet"
      title="From an imported list of records; it was not set in a contest of this server"
    >
      reference
    </span>
  </>
);
