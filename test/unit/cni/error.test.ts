import { expect, test } from 'vitest';
import {
  afterRefusal,
  CniError,
  code,
  firstOf,
  invalidConfig,
  renderError,
  toCniError,
  withDetails,
} from '../../../src/cni/error.ts';

test('an error object has a version, a code and a message, and details if there are any', () => {
  expect(renderError(invalidConfig('a is b'), '1.0.0')).toEqual({
    cniVersion: '1.0.0',
    code: 7,
    msg: 'a is b',
  });
  expect(renderError(invalidConfig('a is b', 'c'), '0.4.0')).toEqual({
    cniVersion: '0.4.0',
    code: 7,
    msg: 'a is b',
    details: 'c',
  });
});

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
