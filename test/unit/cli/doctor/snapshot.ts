import { readConfFile } from '../../../../src/cli/conflist/conf-file.ts';
import { parseConfig } from '../../../../src/cli/containerd/config.ts';
import { type Check, diagnose } from '../../../../src/cli/doctor/finding.ts';
import { type Configuration, identifyConfs } from '../../../../src/cli/doctor/runtime.ts';
import type { Snapshot } from '../../../../src/cli/doctor/snapshot.ts';
import type { WindowsState } from '../../../../src/cli/doctor/windows-state.ts';
import { missingEndpointsIn } from '../../../../src/cli/inventory/missing-endpoints.ts';
import { readNetworkConfig } from '../../../../src/config/read-config.ts';
import type { ObservedEndpoint, ObservedNetwork, Policy } from '../../../../src/hcn/documents.ts';
import { networkId } from '../../../../src/model/identity.ts';
import type { Inventory } from '../../../../src/model/inventory.ts';
import type { HostAdapter } from '../../../../src/net/host-adapter.ts';
import { hostAdapters } from '../../plan/host-adapters.ts';

const executable = 'C:\\opt\\cni\\bin\\win-hcn.exe';
const error = { error: 'not queried' };
const windows: WindowsState = {
  account: error,
  version: error,
  service: error,
  ports: error,
  forwarding: error,
};

/** A snapshot in which only the given facts are available. */
export function snapshot({
  windows: given = {},
  ...others
}: Partial<Omit<Snapshot, 'windows'>> & { readonly windows?: Partial<WindowsState> } = {}): Snapshot {
  return {
    time: new Date('2030-01-02T00:00:00.000Z'),
    executable,
    windows: { ...windows, ...given },
    version: error,
    inventory: error,
    missingEndpoints: error,
    adapters: error,
    routes: error,
    containerd: {
      commands: { value: { isService: true, isRunning: true, serviceCommandLines: [], commandLines: [] } },
      path: 'C:\\k\\config.toml',
      config: { value: parseConfig('version = 2') },
      isConfigMissing: false,
      folders: { binDirs: ['C:\\opt\\cni\\bin'], confDir: 'C:\\etc\\cni\\net.d', maxConfNum: 1 },
    },
    configuration: {
      files: error,
      programs: {},
      network: undefined,
      ipamVersions: undefined,
      owners: new Map(),
      used: undefined,
      plugin: undefined,
    },
    files: error,
    parents: [],
    log: { path: '', paths: [], content: error },
    hostLocal: undefined,
    ...others,
  };
}

/** A configuration file in containerd's folder. */
export function confFile(name: string, content: object | string) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return readConfFile(`C:\\etc\\cni\\net.d\\${name}`, new TextEncoder().encode(text), executable);
}

const conf = {
  cniVersion: '1.1.0',
  name: 'pods',
  type: 'win-hcn',
  networkType: 'L2Bridge',
  subnets: [{ subnet: '10.244.1.0/24' }],
};

/** The configuration of network "pods" with further members. */
export function configured(members: object = {}): Configuration {
  const config = { ...conf, ...members };
  const files = [confFile('10-pods.conf', config)];
  const used = identifyConfs(files, { executable, programs: {}, files: error });
  return {
    files: { value: files },
    programs: {},
    network: readNetworkConfig(config),
    ipamVersions: undefined,
    ...used,
  };
}

export const SchemaVersion = { Major: 2, Minor: 0 };
export const hostNamespace = '7cb720c0-0c39-4b8f-a1f7-3f4a2d9e6b02';

/** Network "pods" as HCN has it. */
export const pods: ObservedNetwork = {
  ID: networkId('pods'),
  Name: 'pods',
  Type: 'L2Bridge',
  Policies: [{ Type: 'NetAdapterName', Settings: { NetworkAdapterName: 'Ethernet' } }],
  Ipams: [
    {
      Subnets: [
        {
          IpAddressPrefix: '10.244.1.0/24',
          Routes: [{ NextHop: '10.244.1.1', DestinationPrefix: '0.0.0.0/0' }],
        },
      ],
    },
  ],
  SchemaVersion,
};

/** A node with network "pods", its configuration and its adapters. */
export function node(
  inventory: Partial<Inventory> = {},
  { members = {}, adapters = hostAdapters }: { members?: object; adapters?: readonly HostAdapter[] } = {},
): Snapshot {
  const namespaces = [{ ID: hostNamespace, Type: 'HostDefault', NamespaceId: 1, SchemaVersion }];
  const value = { networks: [pods], endpoints: [], namespaces, loadBalancers: [], ...inventory };
  const missingEndpoints = { value: missingEndpointsIn(value) };
  return snapshot({
    inventory: { value },
    missingEndpoints,
    adapters: { value: adapters },
    configuration: configured(members),
  });
}

export function endpoint(id: string, given: Partial<ObservedEndpoint>): ObservedEndpoint {
  return {
    ID: `fd6bec0f-7b88-4b61-b5af-7089${id.padStart(8, '0')}`,
    Name: id,
    HostComputeNetwork: pods.ID,
    SchemaVersion,
    ...given,
  };
}

export function withAddress(
  id: string,
  address: string,
  given: Partial<ObservedEndpoint> = {},
): ObservedEndpoint {
  return endpoint(id, { IpConfigurations: [{ IpAddress: address }], ...given });
}

/** The node's adapters, one of them changed. */
export function adaptersWith(alias: string, changes: Partial<HostAdapter>): readonly HostAdapter[] {
  return hostAdapters.map((one) => (one.alias === alias ? { ...one, ...changes } : one));
}

/** Each diagnosis of a check in one line, as in `FAIL hns is stopped | fix: Start-Service hns`. */
export function diagnosed(check: Check, given: Snapshot): readonly string[] {
  return diagnose(check, given).map(({ verdict, seen, subjects, ...commands }) =>
    [
      `${verdict} ${seen}`,
      ...(subjects ?? []),
      ...Object.entries(commands).map(([name, command]) => `${name}: ${command}`),
    ].join(' | '),
  );
}

const adapterPolicy = (NetworkAdapterName: string): Policy => ({
  Type: 'NetAdapterName',
  Settings: { NetworkAdapterName },
});
const isolation = (Type: string, IsolationId: number): Policy => ({ Type, Settings: { IsolationId } });

interface Given {
  readonly adapter?: string | undefined;
  readonly policies?: readonly Policy[];
  readonly name?: string;
  readonly prefix?: string;
}

/** Network "second" with the subnet of network "pods", on the same adapter by default. */
export function second(
  Type: string,
  { adapter = 'Ethernet', policies = [], name = 'second', prefix = '10.244.1.0/24' }: Given = {},
): ObservedNetwork {
  return {
    ID: networkId(name),
    Name: name,
    Type,
    Policies: adapter === '' ? [] : [adapterPolicy(adapter)],
    Ipams: [{ Subnets: [{ IpAddressPrefix: prefix, Policies: policies }] }],
    SchemaVersion,
  };
}

/** An Overlay network on the adapter. */
export const overlay = (name: string, vsid: number) =>
  second('Overlay', { name, policies: [isolation('VSID', vsid)] });
/** An L2Bridge network on the adapter. */
export const bridge = (name: string, vlan: number) =>
  second('L2Bridge', { name, policies: [isolation('VLAN', vlan)] });
