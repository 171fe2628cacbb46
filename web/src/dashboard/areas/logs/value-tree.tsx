/** A nested value as a tree. */

export const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

export const ValueTree = ({ value }: { readonly value: object }) => (
  <dl className="tree">
    {Object.entries(value).map(([name, inner]) => (
      <div key={name}>
        {isNested(inner) ? <Branch name={name} value={inner} /> : <Leaf name={name} value={inner} />}
      </div>
    ))}
  </dl>
);

const Leaf = ({ name, value }: { readonly name: string; readonly value: unknown }) => (
  <>
    <dt>{name}</dt>
    <dd className={value === null ? 'nothing' : typeof value}>{value === null ? 'NULL' : String(value)}</dd>
  </>
);

const Branch = ({ name, value }: { readonly name: string; readonly value: object }) => (
  <>
    <dt>{name}</dt>
    <dd>
      <details open>
        <summary>
          {Array.isArray(value) ? `${value.length} elements` : `${Object.keys(value).length} fields`}
        </summary>
        <ValueTree value={value} />
      </details>
    </dd>
  </>
);
