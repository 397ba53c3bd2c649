import { readConfFile } from '../../../../src/cli/conflist/conf-file.ts';
import { combineConfig, parseConfigPart } from '../../../../src/cli/containerd/config.ts';
import type { Diagnosis } from '../../../../src/cli/doctor/check.ts';
import type { Configuration, Facts } from '../../../../src/cli/doctor/facts.ts';
import { findMissingEndpoints } from '../../../../src/cli/doctor/missing-endpoints.ts';
import { readNetworkConfig } from '../../../../src/config/read-config.ts';
import type { ObservedEndpoint, ObservedNetwork } from '../../../../src/hcn/documents.ts';
import { networkId } from '../../../../src/model/identity.ts';
import type { Inventory } from '../../../../src/model/inventory.ts';
import type { HostAdapter } from '../../../../src/net/host-adapter.ts';
import { hostAdapters } from '../../plan/host-adapters.ts';

/** Facts of which only the given ones are available. */
export function facts(given: Partial<Facts> = {}): Facts {
  const error = { error: 'not queried' };
  return {
    time: new Date('2030-01-02T00:00:00.000Z'),
    executable: 'C:\\opt\\cni\\bin\\win-hcn.exe',
    version: error,
    inventory: error,
    missingEndpoints: error,
    adapters: error,
    routes: error,
    containerd: {
      commands: { value: { isService: true, isRunning: true, serviceCommandLines: [], commandLines: [] } },
      path: 'C:\\k\\config.toml',
      config: { value: combineConfig(parseConfigPart('version = 2')) },
      isConfigMissing: false,
      folders: { binDirs: ['C:\\opt\\cni\\bin'], confDir: 'C:\\etc\\cni\\net.d', maxConfNum: 1 },
    },
    configuration: { files: error, isGiven: false, programs: {}, network: undefined },
    files: error,
    parents: [],
    log: { path: '', paths: [], content: error },
    hostLocal: undefined,
    ...given,
  };
}

/** A configuration file in containerd's folder. */
export function confFile(name: string, content: object | string) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return readConfFile(
    `C:\\etc\\cni\\net.d\\${name}`,
    new TextEncoder().encode(text),
    'C:\\opt\\cni\\bin\\win-hcn.exe',
  );
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
  return {
    files: { value: [confFile('10-pods.conf', config)] },
    isGiven: false,
    programs: {},
    network: readNetworkConfig(config),
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
): Facts {
  const namespaces = [{ ID: hostNamespace, Type: 'HostDefault', NamespaceId: 1, SchemaVersion }];
  const value = { networks: [pods], endpoints: [], namespaces, loadBalancers: [], ...inventory };
  const missingEndpoints = { value: findMissingEndpoints(value) };
  return facts({
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

/** Each diagnosis in one line, as in `FAIL hns is stopped | fix: Start-Service hns`. */
export function diagnosisTexts(diagnoses: readonly Diagnosis[]): readonly string[] {
  return diagnoses.map(({ verdict, seen, ...commands }) =>
    [`${verdict} ${seen}`, ...Object.entries(commands).map(([name, command]) => `${name}: ${command}`)].join(
      ' | ',
    ),
  );
}
