import { expect, test } from 'vitest';
import { findAll } from '../../src/cli/doctor/checks.ts';
import type { Snapshot } from '../../src/cli/doctor/snapshot.ts';
import { readClusterNode } from '../../src/cli/network/cluster-node.ts';
import { clusterRoutes } from '../../src/cli/network/cluster-routes.ts';
import { openConfig } from '../../src/config/open-config.ts';
import { InvalidConfig } from '../../src/config/problems.ts';
import { readNetworkConfig } from '../../src/config/read-config.ts';
import type { Policy } from '../../src/hcn/documents.ts';
import { isObject, type JsonObject } from '../../src/json/members.ts';
import { unreturnedPolicies } from '../../src/plan/check.ts';
import { translationNotices } from '../../src/plan/endpoint-differences.ts';
import { endpointPolicies } from '../../src/plan/policies.ts';
import { remoteSubnetChanges, routeChanges } from '../../src/plan/remote-subnets.ts';
import { node, pods } from './cli/doctor/snapshot.ts';
import { nodeObject } from './cli/network/node-list.ts';
import { grows, timeRatio } from './time-ratio.ts';

type Make<T> = (index: number) => T;

const list = <T>(length: number, make: Make<T>): readonly T[] =>
  Array.from({ length }, (_, index) => make(index));
const pair = (index: number) => `${(index >> 8) & 255}.${index & 255}`;
const prefix: Make<string> = (index) => `10.${pair(index)}.0/24`;
const keys = (length: number) => Object.fromEntries(list(length, (index) => [`k${index}`, 1]));
const subnets = [{ subnet: '172.16.0.0/24' }];

/** Keys of a configuration, with lists of the given length. */
const configurations: Readonly<Record<string, (length: number) => JsonObject>> = {
  subnets: (length) => ({ subnets: list(length, (index) => ({ subnet: prefix(index) })) }),
  'exceptions of outbound NAT': (length) => ({ outboundNat: { exceptions: list(length, prefix) } }),
  'OutBoundNAT policies': (length) => ({
    endpointPolicies: list(length, (index) => ({
      Type: 'OutBoundNAT',
      Settings: { Exceptions: [prefix(index)] },
    })),
  }),
  ACLs: (length) => ({
    defaultAction: 'Allow',
    acls: list(length, (index) => ({ action: 'Allow', direction: 'In', remoteAddresses: [prefix(index)] })),
  }),
  'unknown keys': keys,
  'port mappings': (length) => ({
    runtimeConfig: {
      portMappings: list(length, (index) => ({ hostPort: index + 1, containerPort: index + 1 })),
    },
  }),
  'addresses of a previous result': (length) => ({
    prevResult: {
      cniVersion: '1.0.0',
      interfaces: list(length, () => ({ name: 'eth0' })),
      ips: list(length, (index) => ({ address: prefix(index), interface: index })),
      routes: list(length, (index) => ({ dst: prefix(index) })),
    },
  }),
};

const remote: Make<Policy> = (index) => ({
  Type: 'RemoteSubnetRoute',
  Settings: { DestinationPrefix: prefix(index), IsolationId: 4096, ProviderAddress: '192.168.0.9' },
});
const SchemaVersion = { Major: 2, Minor: 0 };
const networkWith = (length: number) => ({
  SchemaVersion,
  Name: 'n',
  Type: 'Overlay',
  Ipams: [],
  Policies: [...list(length, remote)],
});

/** Work on what HNS, Windows and IPAM plugins return, with lists of the given length. */
const works: Readonly<Record<string, (length: number) => () => unknown>> = {
  ...Object.fromEntries(
    Object.entries(configurations).map(([name, make]) => [
      `a configuration with many ${name}`,
      (length: number) => reading(make(length)),
    ]),
  ),
  'a network with many remote subnets, which policies except from NAT': (length) => {
    const Policies = [{ Type: 'OutBoundNAT', Settings: { Exceptions: list(length, prefix) } }];
    return () =>
      translationNotices({ SchemaVersion, Name: '', HostComputeNetwork: '', Policies }, networkWith(length));
  },
  'many remote subnets, with those of the network': (length) => {
    const wanted = list(length, (index) => ({
      subnet: prefix(index),
      providerAddress: '192.168.0.9',
      macAddress: '',
      vsid: 4096,
    }));
    return () => remoteSubnetChanges(wanted, networkWith(length));
  },
  'many remote subnets, with the routes of the node': (length) => {
    const routes = list(length, (index) => ({
      interfaceIndex: 7,
      prefix: prefix(index),
      nextHop: '192.168.0.9',
      metric: 1,
      protocol: 3,
    }));
    const wanted = routes.map(({ prefix: subnet, nextHop }) => ({ subnet, nextHop }));
    return () => routeChanges(wanted, 7, routes);
  },
  'many nodes with subnets of the configuration, and one that contains them': (length) => {
    const configured = [...list(length, prefix)];
    const nodes = [['172.16.0.0/24'], ['10.0.0.0/8'], ...configured.map((one) => [one])].map(
      (podCIDRs, index) =>
        readClusterNode(nodeObject({ name: `n${index}`, podCIDRs, address: '192.168.0.9' })),
    );
    const onLink = [{ address: '192.168.0.4', length: 24 }];
    const side = {
      network: 'n',
      underlay: { type: 'L2Bridge' as const, onLink },
      subnets: ['172.16.0.0/24'],
      gateways: [],
      addresses: [],
      configured,
    };
    return () =>
      clusterRoutes(
        nodes.flatMap((node) => node ?? []),
        side,
      );
  },
  'many pods with services, as doctor checks them': (length) => () => findAll(busyNode(length)),
  'many ACLs, in another order than they were sent': checking,
};

/** A node with endpoints in namespaces of containers, some of them left over, reservations, and load balancers. */
function busyNode(length: number): Snapshot {
  const guid = (kind: number, index: number) =>
    `${kind}0000000-0000-5000-8000-${String(index).padStart(12, '0')}`;
  const given = node({
    namespaces: list(length, (index) => ({
      ID: guid(1, index),
      NamespaceId: index + 2,
      Resources: [{ Type: 'Container', Data: { Id: `c${index}` } }],
      SchemaVersion,
    })),
    endpoints: list(length, (index) => ({
      ID: guid(2, index),
      Name: `c${index}_pods_eth0`,
      HostComputeNetwork: pods.ID,
      HostComputeNamespace: guid(1, index % 2 ? index : -1),
      IpConfigurations: [{ IpAddress: `10.${pair(index)}.2` }],
      SchemaVersion,
    })),
    loadBalancers: list(length, (index) => ({
      ID: guid(3, index),
      HostComputeEndpoints: [guid(2, index), guid(4, index)],
      FrontendVIPs: [`172.${pair(index)}.1`],
      PortMappings: [{ Protocol: 6, InternalPort: 80, ExternalPort: 80 }],
      SchemaVersion,
    })),
  });
  const reservations = [
    ...list(length, (index) => ({
      address: `10.${pair(index)}.2`,
      container: 'gone',
      network: 'pods',
      file: '',
      reserved: '2030-01-01T00:00:00.000Z',
    })),
  ];
  const rangeSets = [[{ start: '10.0.0.1', end: '10.255.0.0', gateway: undefined }]];
  return { ...given, hostLocal: { folder: '', problems: [], rangeSets, reservations } };
}

/** CHECK of an endpoint with many ACLs, of which one is gone. */
function checking(length: number): () => unknown {
  const acls = list(length, (index) => ({
    action: 'Allow',
    direction: 'In',
    protocols: ['tcp'],
    remoteAddresses: [prefix(index)],
    priority: 1000,
  }));
  const config = readNetworkConfig({
    name: 'n',
    networkType: 'L2Bridge',
    subnets,
    defaultAction: 'Block',
    acls,
  });
  const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'n' };
  const context = {
    providerAddress: undefined,
    addresses: [],
    families: [],
    ownSubnets: [],
    encapOverhead: undefined,
  };
  const [gone, ...kept] = endpointPolicies(config, context);
  const Policies = kept
    .toReversed()
    .map(({ Type, Settings }) => ({ Type, Settings: { ...Settings, Id: '' } }));
  const endpoint = { ID: '', Name: '', HostComputeNetwork: '', SchemaVersion, Policies };
  const prevResult = { interfaces: [], ips: [], routes: [], dns: {} };
  const expected = {
    config,
    attachment,
    namespaceId: '',
    prevResult,
    ownSubnets: [],
    encapOverhead: undefined,
  };
  return () =>
    expect(unreturnedPolicies(expected, endpoint)).toEqual([
      `HNS does not return policy ${JSON.stringify(gone)} of endpoint ""`,
    ]);
}

/** Reads a configuration as ADD does, and plans the policies of its endpoint. */
function reading(config: JsonObject): () => void {
  const given = JSON.parse(
    JSON.stringify({
      cniVersion: '1.0.0',
      name: 'n',
      type: 'win-hcn',
      networkType: 'L2Bridge',
      subnets,
      ...config,
    }),
  );
  return () => {
    try {
      const opened = openConfig(isObject(given) ? given : {}, '', '');
      endpointPolicies(readNetworkConfig(opened.json, {}, opened), {
        providerAddress: undefined,
        addresses: [],
        families: ['IPv4'],
        ownSubnets: [],
        encapOverhead: undefined,
      });
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidConfig);
    }
  };
}

test.each(Object.entries(works))('%s takes linear time', (_, prepare) => {
  const [short, long] = [prepare(100), prepare(1200)];
  short();
  expect(grows(12, () => timeRatio(short, 12, long))).toBe(false);
});

test('a configuration may have more invalid values than a call may have arguments', () => {
  const config = { name: 'n', networkType: 'L2Bridge', subnets, acls: list(150_000, () => 0) };
  expect(() => readNetworkConfig(config)).toThrow('invalid network configuration: /defaultAction is missing');
});
