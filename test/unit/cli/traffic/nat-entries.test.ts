import { expect, test } from 'vitest';
import { findDecidingEntry, isTranslated, natEntries } from '../../../../src/cli/traffic/nat-entries.ts';

type Settings = Readonly<Record<string, unknown>>;

/** The deciding entry for an address, and whether HNS keeps or translates the source. */
function decide(settings: readonly Settings[], address: string, podSubnets: readonly string[] = []) {
  const policies = settings.map((one, index) => ({ label: `policy ${index + 1}`, settings: one }));
  const entry = findDecidingEntry(natEntries(policies, podSubnets), address);
  const words = entry && [
    entry.kind,
    ...('prefix' in entry ? [entry.prefix] : []),
    ...('policy' in entry ? [`of ${entry.policy.label}`] : []),
  ];
  return `${words?.join(' ') ?? 'none'}: ${isTranslated(entry) ? 'translated' : 'kept'}`;
}

const except = (...Exceptions: readonly string[]) => ({ Exceptions });
const only = (...Destinations: readonly string[]) => ({ Destinations });
const subnet = ['10.244.1.0/24'];
const exceptService = { Destinations: ['10.0.0.0/8'], Exceptions: ['10.96.0.0/12'] };
const exceptDns = { Destinations: ['10.0.0.0/8'], Exceptions: ['8.8.8.8'] };

test.each<[string, readonly Settings[], string, string]>([
  ['no policies', [], '8.8.8.8', 'none: kept'],
  ['an empty policy', [{}], '8.8.8.8', 'default of policy 1: translated'],
  ['no matching exception', [except('10.0.0.0/8')], '8.8.8.8', 'default of policy 1: translated'],
  ['an exception', [except('8.8.8.8', '10.0.0.0/8')], '8.8.8.8', 'exception 8.8.8.8 of policy 1: kept'],
  [
    'the most specific exception of all policies',
    [except('10.0.0.0/8', '10.96.0.0/12'), except('10.96.0.0/16')],
    '10.96.0.10',
    'exception 10.96.0.0/16 of policy 2: kept',
  ],
  [
    'the first of two equal exceptions',
    [except('10.96.0.0/12'), except('10.96.0.0/12')],
    '10.96.0.10',
    'exception 10.96.0.0/12 of policy 1: kept',
  ],
  [
    'an exception with host bits',
    [except('10.96.3.4/12')],
    '10.96.0.10',
    'exception 10.96.3.4/12 of policy 1: kept',
  ],
  ['an IPv6 exception', [except('0.0.0.0/0', 'fd00::/8')], 'fd00::7', 'exception fd00::/8 of policy 1: kept'],
  [
    'a destination before an exception of another policy',
    [except('10.244.0.0/16'), only('10.244.1.2')],
    '10.244.1.2',
    'destination 10.244.1.2 of policy 2: translated',
  ],
  ['only other destinations', [only('10.244.1.2')], '8.8.8.8', 'none: kept'],
  ['an exception to a destination of the same policy', [exceptService], '10.96.0.10', 'none: kept'],
  [
    'an exception of a policy with other destinations',
    [{}, exceptDns],
    '8.8.8.8',
    'default of policy 1: translated',
  ],
  ['two policies', [{}, {}], '8.8.8.8', 'default of policy 1: translated'],
  [
    'an exception for another part of a destination',
    [exceptService],
    '10.1.1.1',
    'destination 10.0.0.0/8 of policy 1: translated',
  ],
  ['an empty VirtualIP', [{ VirtualIP: '' }], 'fd00::7', 'default of policy 1: translated'],
  ['a VirtualIP of the other family', [{ VirtualIP: '10.0.0.9' }], 'fd00::7', 'none: kept'],
  ['invalid lists', [except('all'), only('x')], '8.8.8.8', 'default of policy 1: translated'],
])('the source address with %s', (_name, settings, address, decision) => {
  expect(decide(settings, address)).toBe(decision);
});

test.each<[string, readonly Settings[], string]>([
  ['a policy without destinations', [{}], 'pod subnet 10.244.1.0/24: kept'],
  ['only destinations', [only('8.8.8.8')], 'none: kept'],
  ['a configured exception', [except('10.244.0.0/16')], 'exception 10.244.0.0/16 of policy 1: kept'],
])('the source address in the pod subnet with %s', (_name, settings, decision) => {
  expect(decide(settings, '10.244.1.7', subnet)).toBe(decision);
});

test('of two pod subnets that contain an address, the first is an exception', () => {
  expect(decide([{}], '10.244.1.7', ['10.243.0.0/16', '10.244.0.0/16', '10.244.1.0/24'])).toBe(
    'pod subnet 10.244.0.0/16: kept',
  );
});
