/** Instead of a page whose thing is not there, or is not for this account: why, and a way on. */
import { Link } from 'wouter';
import { ProblemNotice } from './notice.js';

interface NotFoundProps {
  /** What it would be: `Contest`. */
  readonly title: string;
  readonly problem: Error;
  /** To those that are there. */
  readonly href: string;
  readonly way: string;
}

export const NotFound = ({ title, problem, href, way }: NotFoundProps) => (
  <>
    <p className="way-back">
      <Link href={href}>{way}</Link>
    </p>
    <h1>{title}</h1>
    <ProblemNotice problem={problem} />
  </>
);
