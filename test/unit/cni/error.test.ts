import { expect, test } from 'vitest';
import { afterRefusal, CniError, code, firstOf, toCniError, withDetails } from '../../../src/cni/error.ts';

test('an error keeps its cause', () => {
  const cause = new TypeError('x is not a function');
  const details = 'report it with the configuration and the output of cmd /c ver';
  expect(toCniError(cause)).toMatchObject({ code: 999, details, cause });
  expect(withDetails(cause, 'y').cause).toBe(cause);
  const plain = new CniError(code.ioFailure, 'cannot read', { unquoted: 'no text' });
  expect(plain.cause).toBeUndefined();
  expect(plain.name).toBe('CniError');
  expect(withDetails(plain, 'y', undefined, 'z')).toMatchObject({
    cause: plain,
    details: 'y; z',
    unquoted: 'no text',
  });
  expect(withDetails(plain, undefined, '')).toBe(plain);
});

test('a failed look-up comes before the refusal that it was to explain only if HNS is unavailable', () => {
  const refusal = new CniError(code.hcnFailure, 'refused');
  const later = new CniError(code.tryAgainLater, 'later');
  expect(afterRefusal(refusal, later)).toMatchObject({ code: 11, message: 'later', details: 'refused' });
  expect(afterRefusal(refusal, 'lost')).toMatchObject({
    code: 100,
    message: 'refused',
    details: 'internal error: lost',
  });
});

test('of several lines the first one is shown, with the number of the others', () => {
  expect([[], ['a'], ['a', 'b', 'c']].map(firstOf)).toEqual([[], ['a'], ['a (and 2 more)']]);
});
