import { aclRows, aclText } from '../../../src/cli/inventory/acl-row.ts';
import { settingsText } from '../../../src/cli/inventory/policy-text.ts';
import { HcnError, readErrorRecord } from '../../../src/hcn/errors.ts';
import {
  readEndpoint,
  readIds,
  readLoadBalancer,
  readManagementAddress,
  readNamespace,
  readNetwork,
  readVersion,
} from '../../../src/hcn/read-document.ts';
import { endpointFailures, endpointNotices } from '../../../src/plan/endpoint-differences.ts';
import { subnetsWithoutException } from '../../../src/plan/outbound-nat.ts';
import { remoteSubnetsOf } from '../../../src/plan/remote-subnets.ts';
import { resultOf } from '../../../src/plan/result.ts';
import { type Parser, textOf } from './parser.ts';

const id = '259f4964-2dff-5b46-92f1-633319a59298';
const readDocument = 'src/hcn/read-document.ts';
const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'l2bridge' };

const network = {
  ID: id,
  Name: 'l2bridge',
  Type: 'L2Bridge',
  Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
  Ipams: [
    {
      Type: 'Static',
      Subnets: [
        {
          IpAddressPrefix: '10.244.1.0/24',
          Policies: [{ Type: 'VSID', Settings: { IsolationId: 4096 } }],
          Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
        },
      ],
    },
  ],
  SchemaVersion: { Major: 2, Minor: 0 },
};
const endpoint = {
  ID: id,
  Name: 'c0ffee_l2bridge_eth0',
  HostComputeNetwork: id,
  HostComputeNamespace: id,
  MacAddress: '00-15-5D-52-C0-01',
  Policies: [{ Type: 'ACL', Settings: { Action: 'Block', Direction: 'In', Priority: 100 } }],
  IpConfigurations: [
    { IpAddress: '10.244.1.5', PrefixLength: 24 },
    { IpAddress: 'fd00::5', PrefixLength: 64 },
  ],
  Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
  Dns: { Domain: 'a.b', Search: ['c.d'], ServerList: ['10.96.0.10'], Options: ['ndots:5'] },
  Flags: 0,
  Health: { Data: { LastErrorCode: 0 } },
  State: 1,
};
const namespace = {
  ID: id,
  NamespaceId: 5,
  Type: 'Host',
  Resources: [{ Type: 'Endpoint', Data: { Id: id } }],
};
const loadBalancer = {
  ID: id,
  HostComputeEndpoints: [id],
  SourceVIP: '10.244.1.2',
  FrontendVIPs: ['10.96.0.10'],
  PortMappings: [{ Protocol: 17, InternalPort: 53, ExternalPort: 53, Flags: 1 }],
};
const networkPolicies = [
  {
    Type: 'RemoteSubnetRoute',
    Settings: {
      DestinationPrefix: '10.244.2.0/24',
      IsolationId: 4096,
      ProviderAddress: '10.0.0.5',
      DistributedRouterMacAddress: '00-15-5D-00-00-02',
    },
  },
  { Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.4' } },
  { Type: 'DrMacAddress', Settings: { Address: '00-15-5D-00-00-01' } },
  { Type: 'VxlanPort', Settings: { Port: 4789 } },
];
const endpointPolicies = [
  {
    Type: 'ACL',
    Settings: {
      Action: 'Block',
      Direction: 'In',
      Protocols: '6',
      RemotePorts: '80',
      Priority: 100,
      RuleType: 'Switch',
    },
  },
  {
    Type: 'OutBoundNAT',
    Settings: { Exceptions: ['10.0.0.0/8'], VirtualIP: '10.0.0.4', Destinations: ['10.1.0.0/16'] },
  },
  {
    Type: 'PortMapping',
    Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080, Flags: 1, VIP: '10.0.0.4' },
  },
  { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } },
  { Type: 'QOS', Settings: { MaximumOutgoingBandwidthInBytes: 1000 } },
];
const json = (value: unknown) => [JSON.stringify(value)];

/** Readers of what HNS returns. */
export const hcnParsers: readonly Parser[] = [
  {
    reads: "HNS's networks",
    functions: {
      [readDocument]: ['readNetwork', 'readManagementAddress'],
      'src/hcn/document-members.ts': ['parseText', 'readDocument', 'readId'],
    },
    samples: [...json(network), ...json({ ID: id, ManagementIP: '10.0.0.4' })],
    read: (bytes) => [readNetwork(textOf(bytes)), readManagementAddress(textOf(bytes))],
  },
  {
    reads: "HNS's endpoints, as the result of ADD has them",
    functions: { [readDocument]: ['readEndpoint'] },
    samples: json(endpoint),
    read: (bytes) => {
      const read = readEndpoint(textOf(bytes));
      return [
        read,
        resultOf(read, attachment, 'n'),
        endpointFailures(read, read),
        endpointNotices(read, read),
      ];
    },
  },
  {
    reads: 'all documents of HNS, as win-hcn prints them',
    functions: {},
    samples: [
      ...json(network),
      ...json(endpoint),
      ...json({ ...network, Type: 'Overlay', Policies: networkPolicies }),
      ...json({ ...endpoint, Policies: endpointPolicies }),
    ],
    read: (bytes) => {
      const text = textOf(bytes);
      const one = readNetwork(text);
      const inventory = {
        networks: [one],
        endpoints: [readEndpoint(text)],
        namespaces: [],
        loadBalancers: [],
      };
      const policies = [...(one.Policies ?? []), ...(inventory.endpoints[0]?.Policies ?? [])];
      return [
        remoteSubnetsOf(one),
        subnetsWithoutException(policies, ['10.244.2.0/24']),
        policies.map(({ Settings }) => settingsText(Settings)),
        aclRows(policies).map(aclText),
      ];
    },
  },
  {
    reads: "HNS's namespaces",
    functions: { [readDocument]: ['readNamespace'] },
    samples: json(namespace),
    read: (bytes) => readNamespace(textOf(bytes)),
  },
  {
    reads: "HNS's load balancers",
    functions: { [readDocument]: ['readLoadBalancer'] },
    samples: json(loadBalancer),
    read: (bytes) => readLoadBalancer(textOf(bytes)),
  },
  {
    reads: "HNS's lists",
    functions: { [readDocument]: ['readIds'] },
    samples: [...json([id, `{${id.toUpperCase()}}`]), 'null'],
    read: (bytes) => readIds(textOf(bytes)),
  },
  {
    reads: "HNS's version",
    functions: { [readDocument]: ['readVersion'] },
    samples: json({ Success: true, Output: { Major: 13, Minor: 3 } }),
    read: (bytes) => readVersion(textOf(bytes)),
  },
  {
    reads: "HNS's error records",
    functions: { 'src/hcn/errors.ts': ['readErrorRecord'] },
    samples: [
      '{"Success":false,"Error":"Invalid JSON document string. {{Dns,UnknownField}}","ErrorCode":2151350323}',
      '{"Success":false,"Error":"Unknown error 0x80070426","ErrorCode":2147943462}',
    ],
    read: (bytes) => {
      const text = textOf(bytes);
      return [
        readErrorRecord(text),
        new HcnError('creating', 0x80004005, text).message,
        new HcnError('creating', 0, text).details,
      ];
    },
  },
];
