import { expect, test } from 'vitest';
import { anonymized } from '../../../../src/cli/probe/anonymize.ts';
import type { CallRecord } from '../../../../src/cli/probe/hcn-calls.ts';
import { errorText, NotTried } from '../../../../src/cli/probe/observation.ts';
import { HcnError, HcnInvalidResponse, HcnTimeout, HcnUnavailable } from '../../../../src/hcn/errors.ts';

const probeId = '77696e68-636e-4070-a072-6f6265000001';
const otherId = '6f9619ff-8b86-d011-b42d-00c04fc964ff';

/** A report with one row, after anonymization. */
function reportWith(call: Partial<CallRecord>, remaining: readonly string[] = []) {
  const calls = [{ function: 'HcnQueryNetworkProperties', hresult: 'S_OK', milliseconds: 1, ...call }];
  const row = { id: 'natVlan', claim: 'A claim', verdict: 'holds' as const, observed: 'none', calls };
  const { rows, ...others } = anonymized({
    summary: [],
    winHcn: '1.0.0',
    time: '',
    created: 0,
    remaining,
    rows: [{ id: 'attachTwice', claim: 'A claim', verdict: 'not tried', reason: 'interrupted' }, row],
  });
  return { call: rows[1]?.calls?.[0], ...others };
}

test.each<[string, unknown, unknown]>([
  ['a documented member', { State: 1, id: '' }, { State: 1, id: '' }],
  ['an unknown member', { contosopayments: 'x' }, { '<key 1>': '<text>' }],
  ['a number of an unknown member', { ID: '', contoso: 167_772_161 }, { ID: '', '<key 2>': '<number>' }],
  ['a boolean and null', { contoso: [true, null] }, { '<key 1>': [true, null] }],
  ['a word of HNS', { Type: 'L2Bridge', Action: 'block' }, { Type: 'L2Bridge', Action: 'block' }],
  ['a word elsewhere', { Name: 'nat', Type: 'contoso' }, { Name: '<text>', Type: '<text>' }],
  ['protocols', { Protocols: '6,17' }, { Protocols: '6,17' }],
  ['words as protocols', { Protocols: 'node7' }, { Protocols: '<text>' }],
  ['a name of the probe', { Name: 'win-hcn-probe-7_ep' }, { Name: 'win-hcn-probe-7_ep' }],
  ['a name with that of the probe', { Name: 'win-hcn-probe-7.contoso' }, { Name: '<text>' }],
  ['IDs', { ID: otherId, Data: { Id: probeId } }, { ID: '<id>', Data: { Id: probeId } }],
  ['an ID in braces', { ID: `{${otherId}}` }, { ID: '<id>' }],
  [
    'no namespace',
    { ID: '00000000-0000-0000-0000-000000000000' },
    { ID: '00000000-0000-0000-0000-000000000000' },
  ],
  ['MAC addresses', ['00-15-5D-0A-0B-0C', '00155D0A0B0C'], ['<MAC>', '<text>']],
  ['IPv4 addresses', ['10.7.0.4', '198.19.7.4/24', '100.127.3.4'], ['<address>', '<address>', '<address>']],
  ['IPv6 addresses', ['::ffff:10.1.2.3', 'fd00:1:2:3:4:5:6::'], ['<address>', '<address>']],
  [
    'an error record',
    { Success: false, Error: 'no NODE-7', ErrorCode: 5 },
    { Success: false, Error: '<text>', ErrorCode: 5 },
  ],
  ['a text', 'late_contoso-payments_eth0', '<text>'],
])('of what HNS returns, %s', (_, returned, expected) => {
  expect(reportWith({ returned }).call?.returned).toEqual(expected);
});

test('texts and members that the probe sent are kept in the same members, but not the name of the adapter', () => {
  const settings = { NetworkAdapterName: 'LAN', EndpointId: otherId, LocalPorts: '80', Own: 1 };
  const returned = { ...settings, LocalPorts: '80', Domain: '80', Own: 2 };
  expect(reportWith({ id: otherId, sent: settings, returned }).call).toMatchObject({
    id: '<id>',
    sent: { NetworkAdapterName: '<text>', EndpointId: '<id>', LocalPorts: '80', Own: 1 },
    returned: {
      NetworkAdapterName: '<text>',
      EndpointId: '<id>',
      LocalPorts: '80',
      Domain: '<text>',
      Own: 2,
    },
  });
});

test('IDs of remaining objects are those of the probe', () => {
  const { remaining } = reportWith({}, [`network ${probeId}: busy`, `network ${otherId}: busy`]);
  expect(remaining).toEqual([`network ${probeId}: busy`, 'network <id>: busy']);
});

test.each<[unknown, string]>([
  [new NotTried('HNS was not restarted'), 'HNS was not restarted'],
  [new HcnTimeout('HcnOpenNetwork', 30), new HcnTimeout('HcnOpenNetwork', 30).message],
  [
    new HcnError('opening network contoso', 0x80004005, '{"Error":"NODE-7"}'),
    'HCN returned E_FAIL (0x80004005): Unspecified error',
  ],
  [
    new HcnUnavailable('cannot load C:\\Users\\alice', undefined),
    'the libraries of HCN cannot be used on this node',
  ],
  [new HcnInvalidResponse('HCN returned contoso'), 'failed with HcnInvalidResponse'],
  [new TypeError('contoso is undefined'), 'failed with TypeError'],
  ['contoso', 'failed with string'],
])('the reason %# is in words of win-hcn', (error, text) => {
  expect(errorText(error)).toBe(text);
});
