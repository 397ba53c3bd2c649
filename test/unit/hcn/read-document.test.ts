import { describe, expect, test } from 'vitest';
import { HcnInvalidResponse } from '../../../src/hcn/errors.ts';
import {
  readEndpoint,
  readIds,
  readLoadBalancer,
  readNamespace,
  readNetwork,
} from '../../../src/hcn/read-document.ts';

const id = '0b0e1a6c-6a5e-5c52-8f0c-7d7f1c6a2f10';
const other = '1c1f2b7d-7b6f-5d63-8a1d-8e8a2d7b3a21';
const SchemaVersion = { Major: 2, Minor: 0 };
const policy = { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.0.0.0/8'] } };

/** Members of each kind that must be readable. */
const decisive: Readonly<Record<string, readonly string[]>> = {
  'a network': ['Name', 'Type', 'Ipams'],
  'an endpoint': ['HostComputeNamespace'],
  'a namespace': ['Resources'],
  'a load balancer': ['HostComputeEndpoints'],
};

/** Each kind: its function, a document with only an id, and one with every member that win-hcn uses. */
describe.each([
  {
    kind: 'a network',
    read: readNetwork,
    empty: { Name: '', Type: 'NAT', Policies: [], Ipams: [] },
    given: {
      Name: 'cbr0',
      Type: 'L2Bridge',
      Policies: [policy, {}],
      Ipams: [
        {},
        {
          Subnets: [
            {},
            {
              IpAddressPrefix: '10.1.0.0/24',
              Policies: [policy],
              Routes: [{ NextHop: '10.1.0.1', DestinationPrefix: '0.0.0.0/0' }],
            },
          ],
        },
      ],
      Unknown: 1,
    },
    full: {
      Name: 'cbr0',
      Type: 'L2Bridge',
      Policies: [policy, { Type: '', Settings: {} }],
      Ipams: [
        { Subnets: [] },
        {
          Subnets: [
            { IpAddressPrefix: '', Policies: [], Routes: [] },
            {
              IpAddressPrefix: '10.1.0.0/24',
              Policies: [policy],
              Routes: [{ NextHop: '10.1.0.1', DestinationPrefix: '0.0.0.0/0' }],
            },
          ],
        },
      ],
    },
  },
  {
    kind: 'an endpoint',
    read: readEndpoint,
    empty: {
      Name: '',
      HostComputeNetwork: '',
      HostComputeNamespace: '',
      MacAddress: '',
      Policies: [],
      IpConfigurations: [],
      Routes: [],
      Dns: { Search: [], ServerList: [], Options: [] },
      Flags: 0,
      Health: { Data: { LastErrorCode: 0 } },
      State: 0,
    },
    given: {
      Name: 'pod',
      HostComputeNetwork: `{${other.toUpperCase()}}`,
      HostComputeNamespace: `{${other.toUpperCase()}}`,
      MacAddress: '00-15-5D-00-00-01',
      Policies: [policy],
      IpConfigurations: [
        { IpAddress: '10.1.0.5', PrefixLength: 24 },
        { IpAddress: 'FD00:0::5', PrefixLength: 64 },
        { IpAddress: '10.1.0.6', PrefixLength: 0 },
        { IpAddress: '10.1.0.7' },
      ],
      Routes: [{ NextHop: '10.1.0.1' }],
      Dns: { Domain: 'x.local', Search: ['a'], ServerList: ['10.0.0.10'], Options: ['ndots:5'] },
      Flags: 3,
      Health: { Data: { LastErrorCode: 5 }, Extra: 1 },
      State: 2,
    },
    full: {
      Name: 'pod',
      HostComputeNetwork: other,
      HostComputeNamespace: other,
      MacAddress: '00-15-5D-00-00-01',
      Policies: [policy],
      IpConfigurations: [
        { IpAddress: '10.1.0.5', PrefixLength: 24 },
        { IpAddress: 'fd00::5', PrefixLength: 64 },
        { IpAddress: '10.1.0.6' },
        { IpAddress: '10.1.0.7' },
      ],
      Routes: [{ NextHop: '10.1.0.1', DestinationPrefix: '0.0.0.0/0' }],
      Dns: { Domain: 'x.local', Search: ['a'], ServerList: ['10.0.0.10'], Options: ['ndots:5'] },
      Flags: 3,
      Health: { Data: { LastErrorCode: 5 } },
      State: 2,
    },
  },
  {
    kind: 'a namespace',
    read: readNamespace,
    empty: { NamespaceId: 0, Type: 'Host', Resources: [] },
    given: {
      NamespaceId: 7,
      Type: 'Guest',
      Resources: [{ Type: 'Endpoint', Data: { Id: other.toUpperCase() } }, { Type: 'Container' }, {}],
    },
    full: {
      NamespaceId: 7,
      Type: 'Guest',
      Resources: [
        { Type: 'Endpoint', Data: { Id: other } },
        { Type: 'Container', Data: {} },
        { Type: '', Data: {} },
      ],
    },
  },
  {
    kind: 'a load balancer',
    read: readLoadBalancer,
    empty: { HostComputeEndpoints: [], PortMappings: [] },
    given: {
      HostComputeEndpoints: [`{${other.toUpperCase()}}`],
      SourceVIP: 'FD00:0::9',
      FrontendVIPs: ['FD00:0::8', 'x'],
      PortMappings: [
        {},
        {
          Protocol: 6,
          InternalPort: 80,
          ExternalPort: 8080,
          DistributionType: 1,
          Flags: 2,
        },
        { DistributionType: 0, Flags: 0 },
      ],
      Flags: 2,
    },
    full: {
      HostComputeEndpoints: [other],
      SourceVIP: 'fd00::9',
      FrontendVIPs: ['fd00::8', 'x'],
      PortMappings: [
        { Protocol: 0, InternalPort: 0, ExternalPort: 0 },
        { Protocol: 6, InternalPort: 80, ExternalPort: 8080, DistributionType: 1, Flags: 2 },
        { Protocol: 0, InternalPort: 0, ExternalPort: 0 },
      ],
      Flags: 2,
    },
  },
])('the document of $kind', ({ kind, read, empty, given, full }) => {
  test('has the default of each member that HNS omits', () => {
    expect(read(JSON.stringify({ ID: id }))).toStrictEqual({ ID: id, ...empty, SchemaVersion });
  });

  test('has every member that win-hcn uses, in canonical form', () => {
    const json = JSON.stringify({ ID: `{${id.toUpperCase()}}`, ...given });
    expect(read(json)).toStrictEqual({ ID: id, ...full, SchemaVersion });
  });

  test.each([
    ['{}', 'HCN returned nothing for ID, expected an id'],
    [`{"ID":"x${id}"}`, `HCN returned "x${id}" for ID, expected an id`],
    [`{"ID":"${id}x"}`, `HCN returned "${id}x" for ID, expected an id`],
    ['[1,2]', 'HCN returned a list of 2, expected an object'],
    ['null', 'HCN returned null, expected an object'],
    ['', 'HCN returned "", expected JSON'],
    [`<${'x'.repeat(100)}`, `HCN returned "<${'x'.repeat(79)}", expected JSON`],
  ])('%s is refused', (json, message) => {
    expect(() => read(json)).toThrow(new HcnInvalidResponse(message));
  });

  const members = Object.keys(given).filter((member) => member !== 'Unknown');

  test.each(members.filter((member) => !decisive[kind]?.includes(member)))(
    'with a %s of the wrong type is read without it',
    (member) => {
      const json = JSON.stringify({ ID: id, [member]: true });
      expect(read(json)).toStrictEqual({ ID: id, ...empty, SchemaVersion });
    },
  );

  test.each(members.filter((member) => decisive[kind]?.includes(member)))(
    'with a %s of the wrong type is refused',
    (member) => {
      expect(() => read(JSON.stringify({ ID: id, [member]: true }))).toThrow(
        new RegExp(`^HCN returned true for ${member}, expected a`),
      );
    },
  );
});

describe('a route', () => {
  const routesOf = (...Routes: readonly object[]) => readEndpoint(JSON.stringify({ ID: id, Routes })).Routes;

  test.each([
    ['without a destination', { NextHop: '10.0.0.1' }, '10.0.0.1', '0.0.0.0/0'],
    ['to ::', { NextHop: 'FE80::1', DestinationPrefix: '::' }, 'fe80::1', '::/0'],
    ['to a host', { NextHop: '10.0.0.1', DestinationPrefix: '10.2.0.9' }, '10.0.0.1', '10.2.0.9/32'],
    [
      'to a subnet on-link',
      { NextHop: '0.0.0.0', DestinationPrefix: '10.2.0.0/16' },
      '0.0.0.0',
      '10.2.0.0/16',
    ],
  ])('%s is read', (_, route, NextHop, DestinationPrefix) => {
    expect(routesOf(route)).toStrictEqual([{ NextHop, DestinationPrefix }]);
  });

  test.each([
    ['without a next hop', { DestinationPrefix: '10.2.0.0/16' }],
    ['with an invalid next hop', { NextHop: 'x', DestinationPrefix: '10.2.0.0/16' }],
    ['by default through 0.0.0.0', { NextHop: '0.0.0.0', DestinationPrefix: '0.0.0.0/0' }],
    ['by default through ::', { NextHop: '::' }],
  ])('%s is left out', (_, route) => {
    expect(routesOf(route, { NextHop: '10.0.0.1' })).toHaveLength(1);
  });

  test('to an invalid destination is ignored', () => {
    const Routes = [{ NextHop: '10.0.0.1', DestinationPrefix: '10.2.0.0/33' }, 'x'];
    expect(readEndpoint(JSON.stringify({ ID: id, Routes })).Routes).toEqual([]);
  });
});

test.each([
  [{}, []],
  [{ IpAddress: '' }, []],
  [{ IpAddress: '0.0.0.0', PrefixLength: 0 }, []],
  [{ IpAddress: '169.254.7.9', PrefixLength: 16 }, [{ IpAddress: '169.254.7.9', PrefixLength: 16 }]],
  [{ IpAddress: 'x' }, []],
  [{ IpAddress: '10.0.0.5', PrefixLength: 33 }, [{ IpAddress: '10.0.0.5' }]],
])('the address %j is read as %j', (config, addresses) => {
  const json = JSON.stringify({ ID: id, IpConfigurations: [config] });
  expect(readEndpoint(json).IpConfigurations).toEqual(addresses);
});

test('link-local addresses are left out if the endpoint has another one', () => {
  const IpConfigurations = ['fe80::1', '169.254.7.9', '10.0.0.5'].map((IpAddress) => ({ IpAddress }));
  expect(readEndpoint(JSON.stringify({ ID: id, IpConfigurations })).IpConfigurations).toEqual([
    { IpAddress: '10.0.0.5' },
  ]);
});

test.each(['Id', 'ID'])('the id of a resource is read from the member %s', (member) => {
  const Resources = [{ Type: 'Endpoint', Data: { [member]: other.toUpperCase() } }];
  expect(readNamespace(JSON.stringify({ ID: id, Resources })).Resources).toEqual([
    { Type: 'Endpoint', Data: { Id: other } },
  ]);
});

test.each([
  ['null', []],
  ['[]', []],
  [`["${id}","{${other.toUpperCase()}}","${id}"]`, [id, other]],
])('the enumeration %s has the ids %j', (json, ids) => {
  expect(readIds(json)).toEqual(ids);
});

test.each([
  ['{}', 'HCN returned an object, expected a list of ids'],
  [`["${id}",7]`, 'HCN returned 7 for [1], expected an id'],
  ['[{}]', 'HCN returned an object for [0], expected an id'],
])('the enumeration %s is refused', (json, message) => {
  expect(() => readIds(json)).toThrow(new HcnInvalidResponse(message));
});
