/** The fields of a time range: up to now, or between two moments. All times are UTC, like those of the logs. */
import { Field, SelectField } from '../../parts/field.js';
import { absoluteRange, RELATIVE_RANGES, type TimeRange } from './log-query.js';

const BETWEEN = 'between';
const ALL = 'all';
const CHOICES = [
  ...RELATIVE_RANGES.map(({ name, label }) => ({ value: name, name: label })),
  { value: BETWEEN, name: 'From … to' },
  { value: ALL, name: 'Any time' },
];

const rangeChosen = (value: string, before: TimeRange): TimeRange => {
  if (value === ALL) return { kind: 'all' };
  if (value !== BETWEEN) return { kind: 'last', last: value };
  const fixed = absoluteRange(before, Date.now());
  return fixed.kind === 'between' ? fixed : { kind: 'between', from: '', to: '' };
};

export const TimeRangeFields = ({
  range,
  onChange,
}: {
  readonly range: TimeRange;
  readonly onChange: (range: TimeRange) => void;
}) => (
  <>
    <SelectField
      name="time"
      label="Time"
      value={range.kind === 'last' ? range.last : range.kind}
      choices={CHOICES}
      onChange={(value) => onChange(rangeChosen(value, range))}
    />
    {range.kind === 'between' && (
      <>
        <Field
          name="from"
          label="After (UTC)"
          value={range.from}
          placeholder="2026-03-17T14:00:00Z"
          onChange={(from) => onChange({ ...range, from })}
        />
        <Field
          name="to"
          label="Up to (UTC)"
          value={range.to}
          placeholder="now"
          onChange={(to) => onChange({ ...range, to })}
        />
      </>
    )}
  </>
);
