/** FORMAT: prints each element of the format string with the next argument. */
import type { Term } from '../../../foundation/log-store/query-tree.js';
import { refuse } from '../query-problem.js';
import { apply, chain, literal } from '../terms.js';
import { isScalar, jsonOf } from '../values/convert.js';
import type { Shape } from '../values/values.js';
import { argument, type Call, double, literalText, of, text, whole } from './call.js';

/** `%`, flags, width, precision, and the conversion. */
const ELEMENT = /%([-+0 ']*)(\d{1,3})?(?:\.(\d{1,2}))?([A-Za-z%])/y;

/** NULL when an argument is NULL, except for %t and %T. */
export const formattedText = (call: Call): Shape => {
  const format = literalText(call, 0, 'the format');
  const pieces: Term[] = [];
  let taken = 1;
  for (let at = 0; at < format.length; ) {
    const until = format.indexOf('%', at);
    if (until !== at) pieces.push(literal(format.slice(at, until === -1 ? undefined : until)));
    if (until === -1) break;
    ELEMENT.lastIndex = until;
    const element = ELEMENT.exec(format);
    if (element === null)
      return refuse(argument(call, 0).span, `this format cannot be read from character ${until + 1} on`);
    pieces.push(element[4] === '%' ? literal('%') : elementOf(call, taken++, element));
    at = ELEMENT.lastIndex;
  }
  if (taken !== call.args.length)
    return refuse(call.span, `this format takes ${taken - 1} values, not ${call.args.length - 1}`);
  return of('string', pieces.length === 0 ? literal('') : chain('||', pieces));
};

const elementOf = (
  call: Call,
  at: number,
  [written, flags = '', width = '', precision, kind = '']: RegExpExecArray,
): Term => {
  const { span } = call.args[0] ?? call;
  if (call.args.length <= at) return refuse(call.span, `${written} of this format has no value`);
  const printed = (conversion: string, value: Term) =>
    apply('printf', literal(`%${flags.replaceAll("'", ',')}${width}${conversion}`), value);
  switch (kind) {
    case 'd':
    case 'i':
    case 'x':
    case 'X':
    case 'o':
      return printed(`${kind === 'i' ? 'd' : kind}`, whole(call, at));
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
      return printed(`.${precision ?? 6}${kind}`, double(call, at));
    case 's':
      return printed(`${precision === undefined ? '' : `.${precision}`}s`, text(call, at));
    case 't':
      return printed('s', apply('coalesce', text(call, at), literal('NULL')));
    case 'T':
      return printed('s', apply('coalesce', literalOf(call, at), literal('NULL')));
    default:
      return refuse(
        span,
        `${written} is no element of a format here; there are %d %i %x %X %o %f %e %g %s %t %T %%`,
      );
  }
};

/** Prints a value as a literal of the dialect: texts and times in quotes. */
const literalOf = (call: Call, at: number): Term => {
  const value = argument(call, at);
  const quoted = isScalar(value.type) && ['string', 'timestamp', 'date'].includes(value.type.kind);
  return apply('json-as-text', quoted ? apply('as-json', text(call, at)) : jsonOf(value));
};
