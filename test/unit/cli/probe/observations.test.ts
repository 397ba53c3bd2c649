import { describe, expect, test } from 'vitest';
import {
  done,
  granted,
  isAbsent,
  isGone,
  isSame,
  loadBalancerDocument,
  memberRequest,
  networkDocument,
  policyRequest,
  seenWhen,
  settingsIn,
} from '../../../../src/cli/probe/fixtures.ts';
import type { Item, Laboratory } from '../../../../src/cli/probe/laboratory.ts';
import { seenReturned, settingsOfType } from '../../../../src/cli/probe/policy-experiments.ts';
import {
  isExternal,
  type NetworkType,
  seen,
  seenAcceptance,
  seenAnswer,
  symbolOf,
} from '../../../../src/cli/probe/row.ts';
import type { JsonObject } from '../../../../src/json/members.ts';
import { type HresultName, hresultOf } from '../../../simulator/hresults.ts';

const denied = 0x80070005;

test.each([
  [0, 'S_OK', { observed: 'accepted' }, { observed: 'accepted' }],
  [1, '0x00000001', { observed: 'accepted' }, { observed: 'accepted' }],
  [
    denied,
    'E_ACCESSDENIED',
    { observed: 'E_ACCESSDENIED' },
    { observed: 'refused', detail: 'E_ACCESSDENIED' },
  ],
  [0x80049999, '0x80049999', { observed: '0x80049999' }, { observed: 'refused', detail: '0x80049999' }],
])('the HRESULT %i is %s', (hresult, symbol, answer, acceptance) => {
  expect([symbolOf(hresult), seenAnswer(hresult), seenAcceptance(hresult)]).toEqual([
    symbol,
    answer,
    acceptance,
  ]);
  if (answer.observed === 'accepted')
    expect([seenAnswer(hresult, 'other'), seenAcceptance(hresult, 'other')]).toEqual([
      seen('other'),
      seen('other'),
    ]);
});

test('an observation has a detail if there is one', () => {
  expect([seen('a'), seen('a', ''), seen('a', 'b')]).toEqual([
    { observed: 'a' },
    { observed: 'a', detail: '' },
    { observed: 'a', detail: 'b' },
  ]);
});

test.each<[NetworkType, boolean]>([
  ['Private', false],
  ['Internal', false],
  ['NAT', false],
  ['L2Bridge', true],
  ['L2Tunnel', true],
  ['Overlay', true],
  ['Transparent', true],
])('a network of type %s uses an adapter: %s', (type, expected) => expect(isExternal(type)).toBe(expected));

describe('the value of an answer', () => {
  test('is what the call returned', () => {
    expect(granted({ hresult: 0, value: 'x' }, 'asking')).toBe('x');
    expect(done({ hresult: 0, value: undefined }, 'asking')).toBeUndefined();
  });

  test.each([
    [{ hresult: denied, value: 'x' }, 'asking: HCN returned E_ACCESSDENIED (0x80070005): Access is denied'],
    [{ hresult: 0, value: undefined }, 'asking: HCN returned no document'],
  ])('is absent, and the experiment is not tried, after %j', (answer, message) => {
    expect(() => granted(answer, 'asking')).toThrow(expect.objectContaining({ name: 'NotTried', message }));
  });

  test('is absent after a refused call without a value, which is an error', () => {
    expect(() => done({ hresult: denied, value: undefined }, 'asking')).toThrow(
      'asking: HCN returned E_ACCESS',
    );
  });
});

test.each<[HresultName, boolean, boolean]>([
  ['HCN_E_NETWORK_NOT_FOUND', true, true],
  ['HCN_E_ENDPOINT_NOT_FOUND', true, true],
  ['HCN_E_POLICY_NOT_FOUND', true, true],
  ['ERROR_NOT_FOUND', true, true],
  ['HCN_E_OBJECT_USED_AFTER_UNLOAD', false, true],
  ['E_ACCESSDENIED', false, false],
])(
  '%s says that an object is absent: %s, and that the object of a handle is gone: %s',
  (symbol, ...expected) => {
    const answer = { hresult: hresultOf(symbol), value: undefined };
    expect([isAbsent(answer), isGone(answer)]).toEqual(expected);
  },
);

describe('documents', () => {
  const subnet = { prefix: '198.19.1.0/24', gateway: '198.19.1.1', vsid: 9001, address: () => '' };
  const of = (Policies?: readonly object[], subnetPolicies?: readonly object[]) => ({
    Ipams: [
      {
        Type: 'Static',
        Subnets: [
          {
            IpAddressPrefix: '198.19.1.0/24',
            Routes: [{ NextHop: '198.19.1.1', DestinationPrefix: '0.0.0.0/0' }],
            ...(subnetPolicies && { Policies: subnetPolicies }),
          },
        ],
      },
    ],
    ...(Policies && { Policies }),
    SchemaVersion: { Major: 2, Minor: 0 },
  });
  const adapterName = { Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } };

  test.each<[NetworkType, object]>([
    ['Private', of()],
    ['L2Bridge', of([adapterName])],
    ['Overlay', of([adapterName], [{ Type: 'VSID', Settings: { IsolationId: 9001 } }])],
  ])('of a network of type %s', (type, members) => {
    expect(networkDocument('n', type, subnet, 'Ethernet')).toEqual({ Name: 'n', Type: type, ...members });
  });

  test('of a load balancer', () => {
    const laboratory = { newFrontend: () => '192.0.2.7' } as Laboratory;
    const endpoints = ['a', 'b'].map((id) => ({ id }) as Item<'Endpoint'>);
    const usual = {
      HostComputeEndpoints: ['a', 'b'],
      FrontendVIPs: ['192.0.2.7'],
      PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 80 }],
      SchemaVersion: { Major: 2, Minor: 0 },
    };
    expect(loadBalancerDocument(laboratory, endpoints)).toEqual(usual);
    expect(loadBalancerDocument(laboratory, endpoints, { FrontendVIPs: [], Flags: 1 })).toEqual({
      ...usual,
      FrontendVIPs: [],
      Flags: 1,
    });
  });

  test('of requests', () => {
    expect(memberRequest('Add', 'a')).toEqual({
      ResourceType: 'Endpoint',
      RequestType: 'Add',
      Settings: { EndpointId: 'a' },
    });
    expect(policyRequest('Update', [{ Type: 'QOS' }])).toEqual({
      ResourceType: 'Policy',
      RequestType: 'Update',
      Settings: { Policies: [{ Type: 'QOS' }] },
    });
  });
});

describe('policies as HNS returns them', () => {
  const policies: readonly JsonObject[] = [
    { Type: 'ACL', Settings: { a: 1 } },
    { Type: 'qos', Settings: { b: 2 } },
    { Type: 'QOS', Settings: 'x' },
    { Type: 'Qos' },
    { Type: 5 },
  ];

  test('have settings by type, in any case', () => {
    expect(settingsOfType(policies, 'Qos')).toEqual([{ b: 2 }, {}, {}]);
    expect(settingsOfType(policies, 'None')).toEqual([]);
    expect(settingsIn({ Policies: policies }, 'qOS')).toEqual({ b: 2 });
    expect(settingsIn({ Policies: policies.slice(2) }, 'qos')).toEqual({});
    expect(settingsIn({ Policies: [null, 5] }, 'qos')).toBeUndefined();
    expect(settingsIn({ Policies: {} }, 'qos')).toBeUndefined();
    expect([isSame('Qos', 'qOS'), isSame(5, '5'), isSame(undefined, 'qos')]).toEqual([true, true, false]);
  });

  const sent = { a: 1, b: { c: [1, 2], d: 'x' } };
  test.each<[readonly JsonObject[], object]>([
    [[], { observed: 'absent' }],
    [[{ b: { d: 'x', c: [1, 2] }, a: 1 }], { observed: 'as sent' }],
    [[{}, sent], { observed: 'as sent' }],
    [
      [{ ...sent, b: { d: 'x', c: [2, 1] } }],
      {
        observed: 'changed',
        detail: 'b: sent {"c":[1,2],"d":"x"}, returned {"c":[2,1],"d":"x"}',
      },
    ],
    [
      [{ e: 1 }, { b: sent.b, e: 2 }],
      {
        observed: 'changed',
        detail: 'a: sent 1, returned nothing; e: sent nothing, returned 2',
      },
    ],
  ])('compared with those sent: %j', (returned, observation) => {
    expect(seenReturned(sent, returned)).toEqual(observation);
  });
});

test.each([
  ['at once', 1, '0 ms', []],
  ['late', 3, '500 ms', [250, 250]],
  ['never', 99, 'not within 1 s', [250, 250, 250, 250]],
])('a condition becomes true %s', async (observed, from, detail, waits) => {
  let time = 5;
  const paused: number[] = [];
  const pause = async (milliseconds: number) => {
    paused.push(milliseconds);
    time += milliseconds;
  };
  let asked = 0;
  const isTrue = async () => {
    asked += 1;
    return asked >= from;
  };
  expect(await seenWhen({ now: () => time, pause } as Laboratory, 1, isTrue)).toEqual({ observed, detail });
  expect(paused).toEqual(waits);
});
