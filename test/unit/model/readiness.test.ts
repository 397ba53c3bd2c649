import { describe, expect, test } from 'vitest';
import {
  attachedTo,
  containersIn,
  hasManagementAddress,
  isIdle,
  isInUse,
  isReady,
  isUsableAddress,
  stateName,
} from '../../../src/model/readiness.ts';

const SchemaVersion = { Major: 2, Minor: 0 };

test.each([
  ['L2Bridge', true],
  ['l2bridge', true],
  ['L2Tunnel', true],
  ['Overlay', false],
  ['Transparent', false],
  ['NAT', false],
  ['ICS', false],
  ['Internal', false],
  ['Private', false],
])("HNS moves the adapter's address to a network of type %s: %j", (Type, expected) => {
  expect(hasManagementAddress({ Name: 'cbr0', Type, SchemaVersion })).toBe(expected);
});

test.each([
  ['10.0.0.4', true],
  ['169.253.0.1', true],
  ['169.254.12.34', false],
  ['', false],
  [undefined, false],
])('other nodes can reach %j: %j', (address, expected) => {
  expect(isUsableAddress(address)).toBe(expected);
});

test.each([
  ['its namespace', 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444', 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444'],
  [
    'its namespace in capitals',
    'CABCDEFA-BBCC-DDEE-FFAA-ABCDEFABCDEF',
    'CABCDEFA-BBCC-DDEE-FFAA-ABCDEFABCDEF',
  ],
  [
    'a namespace whose last digit only is not zero',
    '00000000-0000-0000-0000-000000000001',
    '00000000-0000-0000-0000-000000000001',
  ],
  ['no namespace if HNS returns the zero GUID', '00000000-0000-0000-0000-000000000000', undefined],
  ['no namespace if the member is empty', '', undefined],
  ['no namespace if the member is absent', undefined, undefined],
])('an endpoint is attached to %s', (_, HostComputeNamespace, expected) => {
  const given = HostComputeNamespace === undefined ? {} : { HostComputeNamespace };
  expect(
    attachedTo({
      Name: 'c0ffee_cbr0_eth0',
      HostComputeNetwork: '22222222-2222-3333-4444-555555555555',
      SchemaVersion,
      ...given,
    }),
  ).toBe(expected);
});

test.each([
  [undefined, 'unknown', false, false],
  [0, 'unknown', false, false],
  [1, 'Created', false, true],
  [2, 'Attached', true, false],
  [3, 'AttachedSharing', true, false],
  [4, 'Detached', false, true],
  [5, 'Degraded', false, false],
  [6, 'Destroyed', false, true],
  [7, 'state 7', false, false],
])('an endpoint in state %j is %s, in use: %j, idle: %j', (State, name, inUse, idle) => {
  const endpoint = {
    Name: 'c0ffee_cbr0_eth0',
    HostComputeNetwork: '22222222-2222-3333-4444-555555555555',
    SchemaVersion,
    ...(State !== undefined && { State }),
  };
  expect([stateName(endpoint), isInUse(endpoint), isIdle(endpoint)]).toEqual([name, inUse, idle]);
});

test('the containers in a namespace are its resources of that type, in any case', () => {
  const Resources = [
    { Type: 'Endpoint', Data: { Id: 'a' } },
    { Type: 'Container', Data: { Id: 'b' } },
    { Type: 'container', Data: { Id: 'c' } },
    { Type: 'container', Data: {} },
  ];
  expect(containersIn({ Resources, SchemaVersion })).toEqual(['b', 'c']);
  expect(containersIn({ SchemaVersion })).toEqual([]);
  expect(containersIn(undefined)).toEqual([]);
});

describe('an Overlay network', () => {
  const provider = (ProviderAddress: string) => ({ Type: 'ProviderAddress', Settings: { ProviderAddress } });
  const drMac = { Type: 'DRMacAddress', Settings: { Address: '00-15-5D-BB-6E-B1' } };
  const overlay = {
    Name: 'overlay',
    Type: 'overlay',
    Policies: [drMac, provider('10.0.0.4')],
    SchemaVersion,
  };

  test('is ready with a DR MAC address and a provider address', () => {
    expect(isReady(overlay)).toBe(true);
  });

  test.each([
    [[]],
    [[drMac]],
    [[provider('10.0.0.4')]],
    [[drMac, provider('169.254.7.7')]],
    [[drMac, provider('')]],
  ])('is not ready with %j', (Policies) => {
    expect(isReady({ ...overlay, Policies })).toBe(false);
  });

  test('is the only type that needs them', () => {
    expect(isReady({ ...overlay, Type: 'L2Bridge', Policies: [] })).toBe(true);
  });
});
