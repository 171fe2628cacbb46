/** Shown instead of a record that does not exist or that the account may not read: the reason, and a link to the list. */
import { Link } from 'wouter';
import { ProblemNotice } from './notice.js';

interface NotFoundProps {
  /** The kind of the record: `Contest`. */
  readonly title: string;
  readonly problem: Error;
  readonly listHref: string;
  readonly listName: string;
}

export const NotFound = ({ title, problem, listHref, listName }: NotFoundProps) => (
  <>
    <p className="way-back">
      <Link href={listHref}>{listName}</Link>
    </p>
    <h1>{title}</h1>
    <ProblemNotice problem={problem} />
  </>
);
