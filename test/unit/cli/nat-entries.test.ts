import { describe, expect, test } from 'vitest';
import { findDecidingEntry, isTranslated, natEntries } from '../../../src/cli/explain-nat/nat-entries.ts';

type Settings = Readonly<Record<string, unknown>>;

/** The deciding entry for an address, and whether HNS translates the source. */
function decide(settings: readonly Settings[], address: string, ownSubnets: readonly string[] = []) {
  const policies = settings.map((one, index) => ({ label: `policy ${index + 1}`, settings: one }));
  const entry = findDecidingEntry(natEntries(policies, ownSubnets), address);
  const text =
    entry === undefined
      ? 'none'
      : [
          entry.kind,
          ...('prefix' in entry ? [entry.prefix] : []),
          ...('policy' in entry ? [`of ${entry.policy.label}`] : []),
        ].join(' ');
  return [text, isTranslated(entry) ? 'translated' : 'kept'];
}

const exceptions = (...Exceptions: readonly string[]) => ({ Exceptions });
const destinations = (...Destinations: readonly string[]) => ({ Destinations });

describe('the source address of traffic', () => {
  test.each<[string, readonly Settings[], string, string, string]>([
    ['is kept without policies', [], '8.8.8.8', 'none', 'kept'],
    ['is translated by an empty policy', [{}], '8.8.8.8', 'default of policy 1', 'translated'],
    [
      'is translated without a matching exception',
      [exceptions('10.0.0.0/8')],
      '8.8.8.8',
      'default of policy 1',
      'translated',
    ],
    [
      'is kept by an exception',
      [exceptions('8.8.8.8', '10.0.0.0/8')],
      '8.8.8.8',
      'exception 8.8.8.8 of policy 1',
      'kept',
    ],
    [
      'is kept by the most specific exception of all policies',
      [exceptions('10.0.0.0/8', '10.96.0.0/12'), exceptions('10.96.0.0/16')],
      '10.96.0.10',
      'exception 10.96.0.0/16 of policy 2',
      'kept',
    ],
    [
      'is kept by the first of two equal exceptions',
      [exceptions('10.96.0.0/12'), exceptions('10.96.0.0/12')],
      '10.96.0.10',
      'exception 10.96.0.0/12 of policy 1',
      'kept',
    ],
    [
      'is kept by an exception with host bits',
      [exceptions('10.96.3.4/12')],
      '10.96.0.10',
      'exception 10.96.3.4/12 of policy 1',
      'kept',
    ],
    [
      'is kept by an IPv6 exception',
      [exceptions('0.0.0.0/0', 'fd00::/8')],
      'fd00::7',
      'exception fd00::/8 of policy 1',
      'kept',
    ],
    [
      'is translated by a destination, regardless of exceptions of other policies',
      [exceptions('10.244.0.0/16'), destinations('10.244.1.2')],
      '10.244.1.2',
      'destination 10.244.1.2 of policy 2',
      'translated',
    ],
    [
      'is kept if all policies have other destinations',
      [destinations('10.244.1.2')],
      '8.8.8.8',
      'none',
      'kept',
    ],
    [
      'is kept by an exception to a destination of the same policy',
      [{ Destinations: ['10.0.0.0/8'], Exceptions: ['10.96.0.0/12'] }],
      '10.96.0.10',
      'none',
      'kept',
    ],
    [
      'is not kept by an exception of a policy with other destinations',
      [{}, { Destinations: ['10.0.0.0/8'], Exceptions: ['8.8.8.8'] }],
      '8.8.8.8',
      'default of policy 1',
      'translated',
    ],
    [
      'is not translated to an address of the other family',
      [{ VirtualIP: '10.0.0.9' }],
      'fd00::7',
      'none',
      'kept',
    ],
    [
      'is translated if the lists contain no addresses',
      [exceptions('all'), destinations('x')],
      '8.8.8.8',
      'default of policy 1',
      'translated',
    ],
  ])('%s', (_name, settings, address, entry, fate) => {
    expect(decide(settings, address)).toEqual([entry, fate]);
  });

  test('is kept in the pod subnet if a policy has no destinations', () => {
    expect(decide([{}], '10.244.1.7', ['10.244.1.0/24'])).toEqual(['pod subnet 10.244.1.0/24', 'kept']);
    expect(decide([destinations('8.8.8.8')], '10.244.1.7', ['10.244.1.0/24'])).toEqual(['none', 'kept']);
  });

  test('is kept by a configured exception before the pod subnet', () => {
    expect(decide([exceptions('10.244.0.0/16')], '10.244.1.7', ['10.244.1.0/24'])).toEqual([
      'exception 10.244.0.0/16 of policy 1',
      'kept',
    ]);
  });
});
