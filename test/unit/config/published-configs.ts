import type { HostComputeNetwork, Policy } from '../../../src/hcn/documents.ts';

/** A configuration people run, and what it means. */
export interface PublishedConfig {
  readonly source: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly means: Meaning;
  /** What the plugin it was written for needed to be there. */
  readonly before?: HostComputeNetwork;
  /** What a pod gets, with the prefix length and the gateway of the network. */
  readonly pod: {
    readonly within: string;
    readonly length: number;
    readonly gateway: string;
    readonly gateway6?: string;
  };
}

/** All that a configuration may say; what `saysNothing` has need not be repeated. */
export interface Meaning {
  readonly networkType: string;
  readonly createNetwork?: 'ifMissing';
  readonly subnets?: readonly object[];
  readonly outboundNat?: object;
  readonly endpointPolicies?: readonly Policy[];
  readonly networkPolicies?: readonly Policy[];
  readonly dns?: object;
  readonly macPrefix?: string;
  readonly loopbackDSR?: boolean;
  readonly portMapping?: object;
  readonly portMappings?: readonly object[];
  readonly gateways?: readonly string[];
  readonly additionalGateways?: readonly string[];
  readonly secondHostIsGateway?: readonly string[];
  readonly exceptOwnSubnets?: boolean;
  readonly ignored?: readonly string[];
}

export const saysNothing = {
  createNetwork: 'never',
  subnets: [],
  outboundNat: undefined,
  endpointPolicies: [],
  networkPolicies: [],
  dns: {},
  macPrefix: undefined,
  loopbackDSR: false,
  portMapping: { localRoutedVip: false, allowAcl: false },
  portMappings: [],
  gateways: [],
  additionalGateways: [],
  secondHostIsGateway: [],
  exceptOwnSubnets: false,
  ignored: [],
} as const;

const overlaySubnet = [{ Type: 'VSID', Settings: { IsolationId: 4096 } }];

/** `subnets` are prefixes with their gateways. */
function network(
  name: string,
  type: string,
  subnets: readonly (readonly [prefix: string, gateway: string])[],
): HostComputeNetwork {
  const isOverlay = type === 'Overlay';
  return {
    Name: name,
    Type: type,
    Ipams: [
      {
        Type: 'Static',
        Subnets: subnets.map(([IpAddressPrefix, NextHop]) => ({
          IpAddressPrefix,
          ...(isOverlay && { Policies: overlaySubnet }),
          Routes: [{ NextHop, DestinationPrefix: NextHop.includes(':') ? '::/0' : '0.0.0.0/0' }],
        })),
      },
    ],
    ...(isOverlay && {
      Policies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress: '192.168.1.5' } }],
    }),
    SchemaVersion: { Major: 2, Minor: 0 },
  };
}

/** What flannel hands to its delegate. */
function fromFlannel(name: string, delegate: Readonly<Record<string, unknown>>, cniVersion = '0.2.0') {
  return {
    ...delegate,
    cniVersion,
    ipMasq: false,
    ipMasqNetwork: '10.244.0.0/16',
    ipam: { type: 'host-local', subnet: '10.244.1.0/24' },
    name,
    runtimeConfig: {
      portMappings: [{ hostPort: 8080, containerPort: 80, protocol: 'tcp', hostIP: '' }],
      dns: { servers: ['10.96.0.10'], searches: ['ns1.svc.cluster.local'], options: ['ndots:5'] },
    },
  };
}

const runtimeDns = {
  nameservers: ['10.96.0.10'],
  search: ['ns1.svc.cluster.local'],
  options: ['ndots:5'],
};
const runtimePorts = [{ protocol: 'tcp', hostPort: 8080, containerPort: 80 }];

const exceptions = (...Exceptions: readonly string[]): Policy => ({
  Type: 'OutBoundNAT',
  Settings: { Exceptions },
});
const route = (DestinationPrefix: string, NeedEncap = true): Policy => ({
  Type: 'SDNRoute',
  Settings: { DestinationPrefix, NeedEncap },
});
const provider = (ProviderAddress: string): Policy => ({
  Type: 'ProviderAddress',
  Settings: { ProviderAddress },
});

const cbr0 = network('cbr0', 'L2Bridge', [['10.244.1.0/24', '10.244.1.1']]);
const onBridge = { within: '10.244.1.', length: 24, gateway: '10.244.1.2' };
const onOverlay = { within: '10.244.1.', length: 24, gateway: '10.244.1.1' };

const kubernetesExceptions = ['192.168.0.0/16', '10.96.0.0/12'];
const flatPolicies = [
  { name: 'EndpointPolicy', value: { Type: 'OutBoundNAT', ExceptionList: kubernetesExceptions } },
  {
    name: 'EndpointPolicy',
    value: { Type: 'ROUTE', DestinationPrefix: '10.96.0.0/12', NeedEncap: true },
  },
  {
    name: 'EndpointPolicy',
    value: { Type: 'ROUTE', DestinationPrefix: '192.168.1.5/32', NeedEncap: true },
  },
];
const hcnPolicies = [
  {
    name: 'EndpointPolicy',
    value: { Type: 'OutBoundNAT', Settings: { Exceptions: kubernetesExceptions } },
  },
  {
    name: 'EndpointPolicy',
    value: { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } },
  },
  {
    name: 'EndpointPolicy',
    value: { Type: 'SDNRoute', Settings: { DestinationPrefix: '192.168.1.5/32', NeedEncap: true } },
  },
];
const theirMeaning = [exceptions(...kubernetesExceptions), route('10.96.0.0/12'), route('192.168.1.5/32')];

const plugins: readonly PublishedConfig[] = [
  {
    source: 'win-bridge/sample-v1.conf',
    config: {
      name: 'cbr0',
      type: 'win-bridge',
      dns: { nameservers: ['10.96.0.10'], search: ['svc.cluster.local'] },
      policies: flatPolicies,
      loopbackDSR: true,
      capabilities: { dns: true },
    },
    before: cbr0,
    pod: { ...onBridge, gateway: '10.244.1.1' },
    means: {
      networkType: 'L2Bridge',
      secondHostIsGateway: ['IPv4', 'IPv6'],
      endpointPolicies: theirMeaning,
      dns: { nameservers: ['10.96.0.10'], search: ['svc.cluster.local'] },
      loopbackDSR: true,
    },
  },
  {
    source: 'win-bridge/sample-v2.conf, from flannel',
    config: fromFlannel('cbr0', {
      apiVersion: 2,
      type: 'win-bridge',
      dns: { nameservers: ['10.96.0.10'], search: ['svc.cluster.local'] },
      policies: hcnPolicies,
      loopbackDSR: true,
    }),
    before: cbr0,
    pod: onBridge,
    means: {
      networkType: 'L2Bridge',
      outboundNat: { exceptions: ['10.244.0.0/16'], destinations: [] },
      endpointPolicies: theirMeaning,
      dns: runtimeDns,
      portMappings: runtimePorts,
      loopbackDSR: true,
      secondHostIsGateway: ['IPv4', 'IPv6'],
    },
  },
  {
    source: 'win-overlay/sample.conf',
    config: {
      cniVersion: '0.2.0',
      name: 'vxlan0',
      type: 'win-overlay',
      ipMasq: true,
      policies: flatPolicies.slice(0, 2),
      loopbackDSR: true,
    },
    before: network('vxlan0', 'Overlay', [['10.244.1.0/24', '10.244.1.1']]),
    pod: onOverlay,
    means: {
      networkType: 'Overlay',
      endpointPolicies: theirMeaning.slice(0, 2),
      loopbackDSR: true,
      exceptOwnSubnets: true,
    },
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
      policies: [
        ...hcnPolicies.slice(0, 2),
        {
          name: 'EndpointPolicy',
          value: { Type: 'ProviderAddress', Settings: { ProviderAddress: '192.168.1.5' } },
        },
      ],
    },
    before: network('OVNKubernetesHybridOverlayNetwork', 'Overlay', [['10.132.0.0/24', '10.132.0.1']]),
    pod: { within: '10.132.0.', length: 24, gateway: '10.132.0.1' },
    means: {
      networkType: 'Overlay',
      endpointPolicies: [...theirMeaning.slice(0, 2), provider('192.168.1.5')],
      macPrefix: '0E-2A',
    },
  },
];

/** Each policy has the members of all, the way the Go program behind it prints them. */
const openshiftPolicy = (type: string, exceptionList: readonly string[], destinationPrefix: string) => ({
  name: 'EndpointPolicy',
  value: { type, settings: { exceptionList, destinationPrefix, needEncap: destinationPrefix !== '' } },
});
const openshiftMeaning: Meaning = {
  networkType: 'Overlay',
  endpointPolicies: [exceptions('172.30.0.0/16'), route('172.30.0.0/16'), provider('192.168.1.5')],
  macPrefix: '0E-2A',
};
const openshiftPolicies = [
  openshiftPolicy('OutBoundNAT', ['172.30.0.0/16'], ''),
  openshiftPolicy('SDNRoute', [], '172.30.0.0/16'),
  {
    name: 'EndpointPolicy',
    value: { type: 'ProviderAddress', settings: { providerAddress: '192.168.1.5' } },
  },
];
const openshiftNetwork = network('OpenShiftNetwork', 'Overlay', [['10.132.1.0/24', '10.132.1.1']]);
const openshiftPod = { within: '10.132.1.', length: 24, gateway: '10.132.1.1' };

const openshift: readonly PublishedConfig[] = [
  {
    source: "OpenShift's Windows Machine Config Operator",
    config: {
      cniVersion: '0.2.0',
      name: 'OpenShiftNetwork',
      type: 'win-overlay',
      apiVersion: 2,
      capabilities: { portMappings: true, dns: true },
      ipam: { type: 'host-local', subnet: '10.132.1.0/24' },
      policies: openshiftPolicies,
    },
    before: openshiftNetwork,
    pod: openshiftPod,
    means: openshiftMeaning,
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
      Policies: openshiftPolicies.map(({ name, value }) => ({
        Name: name,
        Value: { Type: value.type.replace('SDNRoute', 'SDNROUTE'), Settings: value.settings },
      })),
    },
    before: openshiftNetwork,
    pod: openshiftPod,
    means: openshiftMeaning,
  },
];

const namedHcnPolicies = [
  {
    Name: 'EndpointPolicy',
    Value: { Type: 'OutBoundNAT', Settings: { Exceptions: ['10.96.0.0/12', '10.244.0.0/16'] } },
  },
  {
    Name: 'EndpointPolicy',
    Value: { Type: 'SDNROUTE', Settings: { DestinationPrefix: '10.96.0.0/12', NeedEncap: true } },
  },
];
const namedMeaning = [exceptions('10.96.0.0/12', '10.244.0.0/16'), route('10.96.0.0/12')];
const flannelOverlay = network('flannel.4096', 'Overlay', [['10.244.1.0/24', '10.244.1.1']]);
const flannelSubnet = { prefix: '10.244.1.0/24' };
/** Of flannel's own keys those that only win-bridge and win-overlay have. */
const flannelKeys = ['/ipMasq', '/ipMasqNetwork'];

const flannel: readonly PublishedConfig[] = [
  {
    source: 'sig-windows-tools hostprocess/flannel',
    config: fromFlannel('flannel.4096', {
      type: 'sdnoverlay',
      AdditionalArgs: [
        ...namedHcnPolicies,
        {
          Name: 'EndpointPolicy',
          Value: { Type: 'ProviderAddress', Settings: { ProviderAddress: '192.168.1.5' } },
        },
      ],
    }),
    before: flannelOverlay,
    pod: onOverlay,
    means: {
      networkType: 'Overlay',
      endpointPolicies: [...namedMeaning, provider('192.168.1.5')],
      macPrefix: '0E-2A',
      dns: runtimeDns,
      portMappings: runtimePorts,
      ignored: flannelKeys,
    },
  },
  {
    source: 'sig-windows-tools kubeadm/flannel-host-gw with containerd',
    config: fromFlannel('cbr0', {
      type: 'sdnbridge',
      optionalFlags: { forceBridgeGateway: true },
      AdditionalArgs: [
        ...namedHcnPolicies,
        {
          Name: 'EndpointPolicy',
          Value: { Type: 'SDNROUTE', Settings: { DestinationPrefix: '192.168.1.5/32', NeedEncap: true } },
        },
      ],
    }),
    before: cbr0,
    pod: onBridge,
    means: {
      networkType: 'L2Bridge',
      createNetwork: 'ifMissing',
      subnets: [flannelSubnet],
      endpointPolicies: [...namedMeaning, route('192.168.1.5/32')],
      dns: runtimeDns,
      portMappings: runtimePorts,
      secondHostIsGateway: ['IPv4'],
      ignored: flannelKeys,
    },
  },
  {
    source: 'sig-windows-tools kubeadm/flannel-host-gw with Docker',
    config: fromFlannel(
      'cbr0',
      { type: 'win-bridge', hairpinMode: true, isDefaultGateway: true, policies: flatPolicies },
      '0.3.0',
    ),
    before: cbr0,
    pod: onBridge,
    means: {
      networkType: 'L2Bridge',
      outboundNat: { exceptions: ['10.244.0.0/16'], destinations: [] },
      endpointPolicies: theirMeaning,
      dns: runtimeDns,
      portMappings: runtimePorts,
      secondHostIsGateway: ['IPv4', 'IPv6'],
      ignored: ['/hairpinMode', '/isDefaultGateway'],
    },
  },
  {
    source: 'sig-windows-tools kubeadm/flannel-overlay with Docker',
    config: fromFlannel('vxlan0', { type: 'win-overlay', policies: flatPolicies.slice(0, 2) }, '0.3.0'),
    before: network('vxlan0', 'Overlay', [['10.244.1.0/24', '10.244.1.1']]),
    pod: onOverlay,
    means: {
      networkType: 'Overlay',
      endpointPolicies: theirMeaning.slice(0, 2),
      macPrefix: '0E-2A',
      dns: runtimeDns,
      portMappings: runtimePorts,
    },
  },
  {
    source: 'rke2, flannel',
    config: fromFlannel(
      'flannel.4096',
      {
        type: 'win-overlay',
        apiVersion: 2,
        Policies: [
          ...namedHcnPolicies,
          {
            name: 'EndpointPolicy',
            value: { Type: 'ProviderAddress', Settings: { ProviderAddress: '192.168.1.5' } },
          },
        ],
      },
      '1.0.0',
    ),
    before: flannelOverlay,
    pod: onOverlay,
    means: {
      networkType: 'Overlay',
      endpointPolicies: [...namedMeaning, provider('192.168.1.5')],
      macPrefix: '0E-2A',
      dns: runtimeDns,
      portMappings: runtimePorts,
    },
  },
  {
    source: "flannel's README",
    config: fromFlannel('mynet', { type: 'win-overlay', apiVersion: 2, endpointMacPrefix: '0e-2b' }),
    before: network('mynet', 'Overlay', [['10.244.1.0/24', '10.244.1.1']]),
    pod: onOverlay,
    means: {
      networkType: 'Overlay',
      macPrefix: '0E-2B',
      dns: runtimeDns,
      portMappings: runtimePorts,
    },
  },
];

const flatNamedPolicies = flatPolicies.map(({ name, value }) => ({ Name: name, Value: value }));
const upperCaseDns = { Nameservers: ['10.96.0.10'], Search: ['svc.cluster.local'] };
const itsMeaning = { nameservers: ['10.96.0.10'], search: ['svc.cluster.local'] };

const microsoftSdn: readonly PublishedConfig[] = [
  {
    source: 'Microsoft/SDN l2bridge cni.conf',
    config: fromFlannel('cbr0', { type: 'win-bridge', dns: upperCaseDns, policies: flatNamedPolicies }),
    before: cbr0,
    pod: onBridge,
    means: {
      networkType: 'L2Bridge',
      outboundNat: { exceptions: ['10.244.0.0/16'], destinations: [] },
      endpointPolicies: theirMeaning,
      dns: runtimeDns,
      portMappings: runtimePorts,
      secondHostIsGateway: ['IPv4', 'IPv6'],
    },
  },
  {
    source: 'Microsoft/SDN overlay cni.conf',
    config: fromFlannel('vxlan0', {
      type: 'win-overlay',
      dns: upperCaseDns,
      Policies: flatNamedPolicies.slice(0, 2),
    }),
    before: network('vxlan0', 'Overlay', [['10.244.1.0/24', '10.244.1.1']]),
    pod: onOverlay,
    means: {
      networkType: 'Overlay',
      endpointPolicies: theirMeaning.slice(0, 2),
      macPrefix: '0E-2A',
      dns: runtimeDns,
      portMappings: runtimePorts,
    },
  },
  {
    source: 'Microsoft/SDN cni.conf with containerd',
    config: fromFlannel('cbr0', { type: 'sdnbridge', AdditionalArgs: namedHcnPolicies }),
    before: network('cbr0', 'L2Bridge', [['10.244.1.0/24', '10.244.1.2']]),
    pod: onBridge,
    means: {
      networkType: 'L2Bridge',
      createNetwork: 'ifMissing',
      subnets: [flannelSubnet],
      endpointPolicies: namedMeaning,
      dns: runtimeDns,
      portMappings: runtimePorts,
      ignored: flannelKeys,
    },
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
      AdditionalArgs: flatNamedPolicies,
    },
    pod: onBridge,
    means: {
      networkType: 'L2Bridge',
      createNetwork: 'ifMissing',
      subnets: [{ prefix: '10.244.1.0/24', gateway: '10.244.1.2' }],
      endpointPolicies: theirMeaning,
      dns: itsMeaning,
      gateways: ['10.244.1.2'],
    },
  },
];

const privateRanges = [
  '169.254.0.0/16',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '240.0.0.0/4',
];

const google: PublishedConfig = {
  source: 'Google Kubernetes Engine, k8s-node-setup.psm1',
  config: {
    cniVersion: '0.2.0',
    name: 'l2bridge',
    type: 'sdnbridge',
    master: 'Ethernet',
    capabilities: { portMappings: true, dns: true },
    ipam: { subnet: '10.64.1.0/24', routes: [{ GW: '10.64.1.2' }] },
    dns: { Nameservers: ['10.0.0.10'], Search: ['cluster.local'] },
    AdditionalArgs: [
      {
        Name: 'EndpointPolicy',
        Value: { Type: 'OutBoundNAT', Settings: { Exceptions: privateRanges } },
      },
      {
        Name: 'EndpointPolicy',
        Value: { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.0.0.0/16', NeedEncap: true } },
      },
      {
        Name: 'EndpointPolicy',
        Value: { Type: 'SDNRoute', Settings: { DestinationPrefix: '10.128.0.12/32', NeedEncap: true } },
      },
    ],
  },
  before: network('l2bridge', 'L2Bridge', [['10.64.1.0/24', '10.64.1.1']]),
  pod: { within: '10.64.1.', length: 24, gateway: '10.64.1.2' },
  means: {
    networkType: 'L2Bridge',
    createNetwork: 'ifMissing',
    subnets: [{ prefix: '10.64.1.0/24', gateway: '10.64.1.2' }],
    endpointPolicies: [exceptions(...privateRanges), route('10.0.0.0/16'), route('10.128.0.12/32')],
    dns: { nameservers: ['10.0.0.10'], search: ['cluster.local'] },
    gateways: ['10.64.1.2'],
  },
};

const examples: readonly PublishedConfig[] = [
  {
    source: 'windows-container-networking example/l2bridge.conf',
    config: {
      cniVersion: '0.2.0',
      name: 'l2bridgeNetwork',
      type: 'l2bridge',
      master: 'Ethernet',
      capabilities: { dnsCapabilities: true },
      ipam: { subnet: '192.168.10.0/24', routes: [{ GW: '192.168.10.2' }] },
      dns: upperCaseDns,
    },
    pod: { within: '192.168.10.', length: 24, gateway: '192.168.10.2' },
    means: {
      networkType: 'L2Bridge',
      createNetwork: 'ifMissing',
      subnets: [{ prefix: '192.168.10.0/24', gateway: '192.168.10.2' }],
      dns: itsMeaning,
      gateways: ['192.168.10.2'],
    },
  },
  {
    source: 'windows-container-networking example/l2tunnel.conf',
    config: {
      cniVersion: '0.2.0',
      name: 'l2tunnelNetwork',
      type: 'l2tunnel',
      master: 'Ethernet',
      capabilities: { dnsCapabilities: true },
      ipam: { type: 'azure-vnet-ipam', Subnet: '10.244.1.0/24' },
    },
    pod: onOverlay,
    means: {
      networkType: 'L2Tunnel',
      createNetwork: 'ifMissing',
      subnets: [{ prefix: '10.244.1.0/24' }],
    },
  },
  {
    source: 'windows-container-networking example/nat.conf',
    config: {
      cniVersion: '0.2.0',
      name: 'natNetwork',
      type: 'nat',
      master: 'Ethernet',
      ipam: { subnet: '192.168.100.0/24', routes: [{ gateway: '192.168.100.1' }] },
      capabilities: { portMappings: true, dns: true },
    },
    pod: { within: '192.168.100.', length: 24, gateway: '192.168.100.1' },
    means: {
      networkType: 'NAT',
      createNetwork: 'ifMissing',
      subnets: [{ prefix: '192.168.100.0/24', gateway: '192.168.100.1' }],
    },
  },
  {
    source: 'windows-container-networking example/flannel_l2bridge.conf',
    config: fromFlannel('cbr0', {
      type: 'sdnbridge',
      optionalFlags: { localRoutedPortMapping: true, forceBridgeGateway: true, loopbackDSR: true },
      AdditionalArgs: namedHcnPolicies,
    }),
    before: cbr0,
    pod: onBridge,
    means: {
      networkType: 'L2Bridge',
      createNetwork: 'ifMissing',
      subnets: [flannelSubnet],
      endpointPolicies: namedMeaning,
      dns: runtimeDns,
      portMapping: { localRoutedVip: true, allowAcl: false },
      portMappings: runtimePorts,
      loopbackDSR: true,
      secondHostIsGateway: ['IPv4'],
      ignored: flannelKeys,
    },
  },
  {
    source: 'windows-container-networking example/flannel_overlay.conf',
    config: fromFlannel('vxlan0', {
      type: 'sdnoverlay',
      optionalFlags: { loopbackDSR: true },
      AdditionalArgs: namedHcnPolicies,
    }),
    before: network('vxlan0', 'Overlay', [['10.244.1.0/24', '10.244.1.1']]),
    pod: onOverlay,
    means: {
      networkType: 'Overlay',
      endpointPolicies: namedMeaning,
      macPrefix: '0E-2A',
      dns: runtimeDns,
      portMappings: runtimePorts,
      loopbackDSR: true,
      ignored: flannelKeys,
    },
  },
];

/** In, out, by protocol, with the words and numbers of the template. */
const templateAcls = ['In', 'Out'].flatMap((Direction) => [
  {
    Protocols: '6',
    Action: 'Block',
    Direction,
    RemoteAddresses: '10.0.0.4',
    RemotePorts: '80',
    Priority: 200,
  },
  { Protocols: '17', Action: 'Allow', Direction, LocalPorts: '53', Priority: 300 },
  { Protocols: '58', Action: 'Allow', Direction, RemoteAddresses: '10::/64', Priority: 400 },
  { Action: 'Allow', Direction, Priority: 65500 },
]);
const dualStack: HostComputeNetwork = network('winl2bridge', 'L2Bridge', [
  ['10.244.1.0/24', '10.244.1.1'],
  ['10::/64', '10::1'],
]);

const dualStacks: readonly PublishedConfig[] = [
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
      AdditionalArgs: [
        ...['10.244.0.0/16', '10::/64'].map((prefix) => ({
          Name: 'EndpointPolicy',
          Value: { Type: 'OutBoundNAT', Settings: { Exceptions: [prefix] } },
        })),
        ...templateAcls.map((Settings) => ({ Name: 'EndpointPolicy', Value: { Type: 'ACL', Settings } })),
      ],
    },
    before: dualStack,
    pod: { ...onBridge, gateway6: '10::2' },
    means: {
      networkType: 'L2Bridge',
      endpointPolicies: [
        exceptions('10.244.0.0/16'),
        exceptions('10::/64'),
        ...templateAcls.map((Settings) => ({ Type: 'ACL', Settings })),
      ],
      dns: itsMeaning,
      portMapping: { localRoutedVip: true, allowAcl: true },
      additionalGateways: ['10.244.1.2', '10::2'],
    },
  },
  {
    source: 'windows-container-networking, l2bridgedualstack_host-local',
    config: {
      cniVersion: '0.2.0',
      name: 'winl2bridge',
      type: 'sdnbridge',
      capabilities: { portMappings: true, dns: true },
      ipam: {
        type: 'host-local',
        ranges: [
          [{ subnet: '10.244.1.0/24', gateway: '10.244.1.2' }],
          [{ subnet: '10::/64', gateway: '10::2' }],
        ],
        routes: [{ dst: '0.0.0.0/0' }, { dst: '::/0' }],
      },
      optionalFlags: { enableDualStack: true },
      AdditionalArgs: [
        {
          Name: 'EndpointPolicy',
          Value: {
            Type: 'OutBoundNAT',
            Settings: { VirtualIP: '192.168.1.9', Destinations: ['8.8.8.8'], Exceptions: ['10.96.0.0/12'] },
          },
        },
        {
          Name: 'EndpointPolicy',
          Value: { Type: 'SDNRoute', Settings: { DestinationPrefix: 'fd00::/108', NeedEncap: true } },
        },
      ],
    },
    before: dualStack,
    pod: { ...onOverlay, gateway6: '10::1' },
    means: {
      networkType: 'L2Bridge',
      endpointPolicies: [
        {
          Type: 'OutBoundNAT',
          Settings: { VirtualIP: '192.168.1.9', Destinations: ['8.8.8.8'], Exceptions: ['10.96.0.0/12'] },
        },
        route('fd00::/108'),
      ],
    },
  },
];

/** The bands of the generator: the wire server, the node's own services, all else. */
const azureBands = [
  {
    Protocols: '6',
    Action: 'Block',
    Direction: 'Out',
    RemoteAddresses: '168.63.129.16/32',
    RemotePorts: '80',
    Priority: 2051,
  },
  {
    Protocols: '6',
    Action: 'Allow',
    Direction: 'In',
    RemoteAddresses: '10.244.9.0/24',
    LocalPorts: '443',
    Priority: 3001,
  },
  {
    Protocols: '17',
    Action: 'Allow',
    Direction: 'Out',
    RemoteAddresses: '10.0.0.10',
    RemotePorts: '53',
    Priority: 3002,
  },
  { Action: 'Block', Direction: 'In', RemoteAddresses: '192.168.0.0/16', Priority: 9001 },
  { Action: 'Allow', Direction: 'Out', Priority: 9002 },
];

const azureEdge: PublishedConfig = {
  source: 'windows-container-networking, autogencniconf for Azure',
  config: {
    cniVersion: '0.3.0',
    name: 'azure-cni',
    type: 'sdnbridge',
    master: 'Ethernet',
    capabilities: { portMappings: true, dns: true },
    ipam: { environment: 'azure', subnet: '10.244.9.0/24', routes: [{ GW: '10.244.9.1' }] },
    optionalFlags: { localRoutedPortMapping: true, allowAclPortMapping: true },
    AdditionalArgs: azureBands.map(({ RemotePorts, ...band }) => ({
      Name: 'EndpointPolicy',
      Value: {
        Type: 'ACL',
        Settings: { ...band, ...(RemotePorts !== undefined && { Remoteports: RemotePorts }) },
      },
    })),
  },
  pod: { within: '10.244.9.', length: 24, gateway: '10.244.9.1' },
  means: {
    networkType: 'L2Bridge',
    createNetwork: 'ifMissing',
    subnets: [{ prefix: '10.244.9.0/24', gateway: '10.244.9.1' }],
    endpointPolicies: azureBands.map((Settings) => ({ Type: 'ACL', Settings })),
    portMapping: { localRoutedVip: true, allowAcl: true },
    gateways: ['10.244.9.1'],
  },
};

const defaultNat = network('nat', 'NAT', [['172.20.208.0/20', '172.20.208.1']]);
const onDefaultNat = { within: '172.20.2', length: 20, gateway: '172.20.208.1' };

const containerd: readonly PublishedConfig[] = [
  {
    source: 'containerd script/setup/install-cni-windows, whose prefix length is not that of the network',
    config: {
      cniVersion: '0.2.0',
      name: 'nat',
      type: 'nat',
      master: 'Ethernet',
      ipam: { subnet: '172.20.208.0/12', routes: [{ GW: '172.20.208.1' }] },
      capabilities: { portMappings: true, dns: true },
    },
    before: defaultNat,
    pod: onDefaultNat,
    means: {
      networkType: 'NAT',
      createNetwork: 'ifMissing',
      subnets: [{ prefix: '172.16.0.0/12', gateway: '172.20.208.1' }],
    },
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
    means: {
      networkType: 'NAT',
      createNetwork: 'ifMissing',
      subnets: [{ prefix: '10.4.0.0/24', gateway: '10.4.0.1' }],
      ignored: ['/nerdctlID', '/nerdctlLabels'],
    },
  },
];

/**
 * What projects publish for win-bridge, win-overlay, sdnbridge, sdnoverlay and nat, and for flannel what it hands to them. Those
 * of azure-vnet, calico (also rke2's) and vpc-bridge are left out: they mean nothing without their control planes.
 */
export const publishedConfigs: readonly PublishedConfig[] = [
  ...plugins,
  ...openshift,
  ...flannel,
  ...microsoftSdn,
  google,
  ...examples,
  ...dualStacks,
  azureEdge,
  ...containerd,
];
