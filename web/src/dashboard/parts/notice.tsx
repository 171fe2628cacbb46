/** A message above the content. Screen readers announce it when it appears. */
import type { ReactNode } from 'react';
import { Problem } from '../api.js';

export const Notice = ({
  kind,
  children,
}: {
  readonly kind: 'done' | 'info' | 'problem';
  readonly children: ReactNode;
}) => (
  <div className={`notice ${kind}`} role={kind === 'problem' ? 'alert' : 'status'}>
    {children}
  </div>
);

/** The server's text of a failure, or of each invalid field. */
export const ProblemNotice = ({ problem }: { readonly problem: Error }) => {
  if (!(problem instanceof Problem))
    return <Notice kind="problem">Something went wrong in this page.</Notice>;
  const { detail, errors } = problem;
  return (
    <Notice kind="problem">
      {errors.length > 1 ? (
        <ul>
          {errors.map(({ field, message }) => (
            <li key={`${field} ${message}`}>{message}</li>
          ))}
        </ul>
      ) : (
        <p>{sentence(errors[0]?.message ?? detail)}</p>
      )}
    </Notice>
  );
};

const sentence = (text: string): string => {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
};
