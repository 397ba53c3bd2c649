import { isSecretName } from './secret-names.ts';
import { type Learn, type Redacted, redactedMark } from './secret-shapes.ts';
import { quoteAt, stringEnd, type ValueSpan, valueSpan } from './value-span.ts';

/** A JSON object: the name in it, and the values that it names. */
interface Pair {
  name: string;
  readonly values: ValueSpan[];
  key: string | undefined;
}

const colon = /[ \t\r\n]*:[ \t\r\n]*/y;

/**
 * Replaces the values of objects such as `{"value": "x", "name": "PASSWORD"}`, as in lists of environment variables, whatever the order
 * of their members, also in JSON within strings.
 */
export function redactPairs(text: string, learn: Learn): Redacted {
  const spans = [...secretValues(text)].toSorted((one, other) => one.start - other.start);
  let kept = '';
  let done = 0;
  let count = 0;
  for (const { start, end, quote } of spans) {
    const value = text.slice(start + quote.length, end - quote.length);
    if (start < done || value === '' || value === redactedMark) continue;
    learn(value);
    kept += `${text.slice(done, start)}${quote || '"'}${redactedMark}${quote || '"'}`;
    done = end;
    count += 1;
  }
  return { text: kept + text.slice(done), count };
}

function* secretValues(text: string, from = 0, to = text.length): Generator<ValueSpan> {
  const pairs: Pair[] = [];
  for (let at = from; at < to; ) {
    const pair = pairs.at(-1);
    const open = quoteAt(text, at);
    const end = open === undefined ? undefined : stringEnd(text, at, open);
    if (open !== undefined && end !== undefined && end <= to) {
      const content = text.slice(at + open.length, end - open.length);
      colon.lastIndex = end;
      if (colon.test(text)) {
        if (pair !== undefined) pair.key = content.toLowerCase();
        at = colon.lastIndex;
        if (pair?.key === 'value') pair.values.push(valueSpan(text, at, 'json'));
        continue;
      }
      if (pair?.key === 'name' || pair?.key === 'key') pair.name = content;
      if (content.includes('\\')) yield* secretValues(text, at + open.length, end - open.length);
      at = end;
      continue;
    }
    const character = text[at];
    if (character === '{') pairs.push({ name: '', values: [], key: undefined });
    if (character === '}') {
      pairs.pop();
      if (pair !== undefined && isSecretName(pair.name)) yield* pair.values;
    }
    if (character === ',' && pair !== undefined) pair.key = undefined;
    at += open?.length ?? 1;
  }
}
