/** A nested value as a tree. */
import { countText } from '../../../format.js';
import { isNested, type Path } from './paths.js';

interface ValueTreeProps {
  readonly value: object;
  /** Where the value is in its row. */
  readonly path?: Path;
  /** What the user can do with a single value; null when nothing. Not for elements of arrays. */
  readonly action?: (
    path: Path,
    value: unknown,
  ) => { readonly label: string; readonly run: () => void } | null;
}

export const ValueTree = ({ value, path = [], action }: ValueTreeProps) => (
  <dl className="tree">
    {Object.entries(value).map(([name, inner]) => (
      <div key={name}>
        <dt>{name}</dt>
        {isNested(inner) ? (
          <Branch value={inner} path={[...path, name]} {...(action && { action })} />
        ) : (
          <Leaf value={inner} path={[...path, name]} {...(action && { action })} />
        )}
      </div>
    ))}
  </dl>
);

const Leaf = ({
  value,
  path,
  action,
}: Pick<ValueTreeProps, 'action'> & { readonly value: unknown; readonly path: Path }) => {
  const offered = action?.(path, value);
  return (
    <dd className={value === null ? 'nothing' : typeof value}>
      {value === null ? 'NULL' : String(value)}
      {offered && (
        <button type="button" className="leaf-action" title={offered.label} onClick={offered.run}>
          <span aria-hidden="true">+</span>
          <span className="hidden">{offered.label}</span>
        </button>
      )}
    </dd>
  );
};

const Branch = ({
  value,
  path,
  action,
}: Required<Omit<ValueTreeProps, 'action'>> & Pick<ValueTreeProps, 'action'>) => (
  <dd>
    <details open>
      <summary>
        {Array.isArray(value)
          ? countText(value.length, 'element')
          : countText(Object.keys(value).length, 'field')}
      </summary>
      <ValueTree value={value} path={path} {...(action && !Array.isArray(value) && { action })} />
    </details>
  </dd>
);
