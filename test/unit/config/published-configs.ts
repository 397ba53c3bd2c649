import type { HostComputeNetwork, Policy } from '../../../src/hcn/documents.ts';
import {
  cbr0,
  exceptions,
  fromFlannel,
  given,
  givenUpper,
  network,
  onBridge,
  onCbr0,
  onOverlayNetwork,
  provider,
  route,
  runtimeDns,
  runtimePort,
  toItself,
} from './published-values.ts';

/** A configuration that a project publishes, and the endpoint of its ADD. */
export interface PublishedConfig {
  readonly source: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** The keys that win-hcn ignores. */
  readonly ignored?: readonly string[];
  readonly policies?: readonly Policy[];
  readonly dns?: object;
  readonly macPrefix?: string;
  /** The network that the replaced plugin requires. Default: ADD creates one. */
  readonly before?: HostComputeNetwork;
  /** The pod's address, as its beginning, and the prefix length and gateways of its network. */
  readonly pod: {
    readonly within: string;
    readonly length: number;
    readonly gateway: string;
    readonly gateway6?: string;
  };
}

const fileDns = { ServerList: ['10.96.0.10'], Search: ['svc.cluster.local'] };
const kubernetesExceptions = ['192.168.0.0/16', '10.96.0.0/12'];
const translated = [exceptions(...kubernetesExceptions), route('10.96.0.0/12'), route('192.168.1.5/32')];
/** The policies in the format of the older HNS API. */
const flat = [
  { Type: 'OutBoundNAT', ExceptionList: kubernetesExceptions },
  { Type: 'ROUTE', DestinationPrefix: '10.96.0.0/12', NeedEncap: true },
  { Type: 'ROUTE', DestinationPrefix: '192.168.1.5/32', NeedEncap: true },
];

/** The operator's Go type prints every policy with the members of all policies. */
const openshiftPolicy = (type: string, exceptionList: readonly string[], destinationPrefix: string) => ({
  type,
  settings: { exceptionList, destinationPrefix, needEncap: destinationPrefix !== '' },
});
const openshiftPolicies = [
  openshiftPolicy('OutBoundNAT', ['172.30.0.0/16'], ''),
  openshiftPolicy('SDNRoute', [], '172.30.0.0/16'),
  { type: 'ProviderAddress', settings: { providerAddress: '192.168.1.5' } },
];
const onOpenshift = {
  before: network('OpenShiftNetwork', 'Overlay', [['10.132.1.0/24', '10.132.1.1']]),
  pod: { within: '10.132.1.', length: 24, gateway: '10.132.1.1' },
};

const upperRoute = (prefix: string) => ({ ...route(prefix), Type: 'SDNROUTE' });
const upperPolicies = [exceptions('10.96.0.0/12', '10.244.0.0/16'), upperRoute('10.96.0.0/12')];
const upperTranslated = [exceptions('10.96.0.0/12', '10.244.0.0/16'), route('10.96.0.0/12')];
/** flannel's keys that only win-bridge and win-overlay have. */
const flannelKeys = ['/ipMasq', '/ipMasqNetwork'];

const upperCaseDns = { Nameservers: ['10.96.0.10'], Search: ['svc.cluster.local'] };

/** Two of the template's rules. */
const templateAcls = [
  { Protocols: '58', Action: 'Allow', Direction: 'In', RemoteAddresses: '10::/64', Priority: 400 },
  { Action: 'Allow', Direction: 'Out', Priority: 65500 },
];
const templatePolicies = [
  exceptions('10.244.0.0/16'),
  exceptions('10::/64'),
  ...templateAcls.map((Settings) => ({ Type: 'ACL', Settings })),
];
const dualStack: HostComputeNetwork = network('winl2bridge', 'L2Bridge', [
  ['10.244.1.0/24', '10.244.1.1'],
  ['10::/64', '10::1'],
]);

/** Two of the generator's rules: for the wire server and for other traffic. */
const azureBands = [
  {
    Protocols: '6',
    Action: 'Block',
    Direction: 'Out',
    RemoteAddresses: '168.63.129.16/32',
    RemotePorts: '80',
    Priority: 2051,
  },
  { Action: 'Block', Direction: 'In', RemoteAddresses: '192.168.0.0/16', Priority: 9001 },
];

const defaultNat = network('nat', 'NAT', [['172.20.208.0/20', '172.20.208.1']]);
const onDefaultNat = { within: '172.20.2', length: 20, gateway: '172.20.208.1' };

/**
 * The configurations that projects publish for win-bridge, win-overlay, sdnbridge, sdnoverlay and nat, and those that flannel
 * generates. Configurations of azure-vnet, calico (also rke2's) and vpc-bridge are omitted: they require their control planes.
 */
export const publishedConfigs: readonly PublishedConfig[] = [
  {
    source: 'win-bridge/sample-v1.conf',
    config: {
      name: 'cbr0',
      type: 'win-bridge',
      dns: { nameservers: ['10.96.0.10'], search: ['svc.cluster.local'] },
      policies: given(...flat),
      loopbackDSR: true,
      capabilities: { dns: true },
    },
    before: cbr0,
    pod: { ...onBridge, gateway: '10.244.1.1' },
    policies: [...translated, toItself('10.244.1.2')],
    dns: fileDns,
  },
  {
    source: 'win-overlay/sample-v2.conf',
    config: {
      cniVersion: '0.2.0',
      name: 'OVNKubernetesHybridOverlayNetwork',
      type: 'win-overlay',
      ipam: { type: 'host-local', subnet: '10.132.0.0/24' },
      apiVersion: 2,
      capabilities: { portMappings: true, dns: true },
      policies: given(...translated.slice(0, 2), provider('192.168.1.5')),
    },
    before: network('OVNKubernetesHybridOverlayNetwork', 'Overlay', [['10.132.0.0/24', '10.132.0.1']]),
    pod: { within: '10.132.0.', length: 24, gateway: '10.132.0.1' },
    policies: [...translated.slice(0, 2), provider('192.168.1.5')],
    macPrefix: '0E-2A',
  },
  {
    source: "OpenShift's Windows Machine Config Operator, an older release",
    config: {
      CniVersion: '0.2.0',
      Name: 'OpenShiftNetwork',
      Type: 'win-overlay',
      ApiVersion: 2,
      Capabilities: { portMappings: true, dns: true },
      Ipam: { type: 'host-local', subnet: '10.132.1.0/24' },
      Policies: givenUpper(
        ...openshiftPolicies.map(({ type, settings }) => ({
          Type: type.replace('SDNRoute', 'SDNROUTE'),
          Settings: settings,
        })),
      ),
    },
    ...onOpenshift,
    policies: [exceptions('172.30.0.0/16'), route('172.30.0.0/16'), provider('192.168.1.5')],
    macPrefix: '0E-2A',
  },
  {
    source: 'sig-windows-tools hostprocess/flannel',
    config: fromFlannel('flannel.4096', {
      type: 'sdnoverlay',
      AdditionalArgs: givenUpper(...upperPolicies, provider('192.168.1.5')),
    }),
    ...onOverlayNetwork('flannel.4096'),
    policies: [runtimePort(), ...upperTranslated, provider('192.168.1.5')],
    dns: runtimeDns,
    macPrefix: '0E-2A',
    ignored: flannelKeys,
  },
  {
    source: 'Microsoft/SDN cni.conf for wincni.exe',
    config: {
      cniVersion: '0.2.0',
      name: 'l2bridge',
      type: 'wincni.exe',
      master: 'Ethernet',
      ipam: { environment: 'azure', subnet: '10.244.1.0/24', routes: [{ GW: '10.244.1.2' }] },
      dns: upperCaseDns,
      AdditionalArgs: givenUpper(...flat),
    },
    pod: onBridge,
    policies: translated,
    dns: fileDns,
  },
  {
    source: 'windows-container-networking example/flannel_l2bridge.conf',
    config: fromFlannel('cbr0', {
      type: 'sdnbridge',
      optionalFlags: { localRoutedPortMapping: true, forceBridgeGateway: true, loopbackDSR: true },
      AdditionalArgs: givenUpper(...upperPolicies),
    }),
    ...onCbr0,
    policies: [toItself('10.244.1.10'), runtimePort({ Flags: 1 }), ...upperTranslated],
    dns: runtimeDns,
    ignored: flannelKeys,
  },
  {
    source: 'windows-container-networking, the dual stack template',
    config: {
      cniVersion: '0.2.0',
      name: 'winl2bridge',
      type: 'sdnbridge',
      capabilities: { portMappings: true, dns: true },
      ipam: { type: 'host-local', ranges: [[{ subnet: '10.244.1.0/24' }], [{ subnet: '10::/64' }]] },
      dns: upperCaseDns,
      optionalFlags: {
        localRoutedPortMapping: true,
        allowAclPortMapping: true,
        enableDualStack: true,
        gatewayFromAdditionalRoutes: true,
      },
      additionalRoutes: [
        { GW: '10.244.1.2', Dst: '0.0.0.0/0' },
        { GW: '10::2', Dst: '::/0' },
      ],
      AdditionalArgs: givenUpper(...templatePolicies),
    },
    before: dualStack,
    pod: { ...onBridge, gateway6: '10::2' },
    policies: templatePolicies,
    dns: fileDns,
  },
  {
    source: 'nerdctl',
    config: {
      cniVersion: '1.0.0',
      name: 'nat',
      nerdctlID: '7a',
      nerdctlLabels: {},
      type: 'nat',
      master: 'Ethernet',
      ipam: { type: '', subnet: '10.4.0.0/24', routes: [{ gateway: '10.4.0.1' }] },
      capabilities: { portMappings: true, dns: true },
    },
    before: defaultNat,
    pod: onDefaultNat,
    ignored: ['/nerdctlID', '/nerdctlLabels'],
  },
  {
    source: 'windows-container-networking, autogencniconf for Azure',
    config: {
      cniVersion: '0.3.0',
      name: 'azure-cni',
      type: 'sdnbridge',
      master: 'Ethernet',
      capabilities: { portMappings: true, dns: true },
      ipam: { environment: 'azure', subnet: '10.244.9.0/24', routes: [{ GW: '10.244.9.1' }] },
      optionalFlags: { localRoutedPortMapping: true, allowAclPortMapping: true },
      AdditionalArgs: givenUpper(
        ...azureBands.map(({ RemotePorts, ...band }) => ({
          Type: 'ACL',
          Settings: { ...band, ...(RemotePorts !== undefined && { Remoteports: RemotePorts }) },
        })),
      ),
    },
    pod: { within: '10.244.9.', length: 24, gateway: '10.244.9.1' },
    policies: azureBands.map((Settings) => ({ Type: 'ACL', Settings })),
  },
];
