import { type Fixture, podEndpoint, policy, SchemaVersion } from './foreign-node.ts';

const wireServer = { RemoteAddresses: '168.63.129.16/32', RemotePorts: '80,32526', Protocols: '6' };
const acls = [
  { Action: 'Block', Direction: 'Out', Priority: 200, RuleType: 'Switch', ...wireServer },
  { Action: 'Allow', Direction: 'In', Priority: 65500 },
  { Action: 'Allow', Direction: 'Out', Priority: 65500 },
];
const Routes = [{ NextHop: '10.224.0.1', DestinationPrefix: '0.0.0.0/0' }];

/** azure-vnet on AKS, with pods in the virtual network: Azure/azure-container-networking at cbd7560, Azure/AgentBaker at 031ff73. */
export const azure: Fixture = {
  plugin: 'azure-vnet',
  nodeIp: '10.224.0.4',
  prefixLength: 16,
  folders: ['C:\\k\\azurecni\\bin', 'C:\\k\\azurecni\\netconf'],
  confs: {
    '10-azure.conflist': {
      cniVersion: '0.3.0',
      name: 'azure',
      adapterName: '',
      plugins: [
        {
          type: 'azure-vnet',
          mode: 'bridge',
          bridge: 'azure0',
          capabilities: { portMappings: true, dns: true },
          ipam: { type: 'azure-vnet-ipam' },
          dns: { Nameservers: ['10.96.0.10'], Search: ['svc.cluster.local'] },
          AdditionalArgs: [
            { Type: 'OutBoundNAT', ExceptionList: ['10.224.0.0/12'] },
            ...acls.map((one) => ({ Type: 'ACL', ...one })),
          ].map((Value) => ({ Name: 'EndpointPolicy', Value })),
          windowsSettings: { enableLoopbackDSR: true },
        },
      ],
    },
  },
  programs: ['azure-vnet', 'azure-vnet-ipam'],
  network: 'azure',
  prepare: ({ hns: { others } }) => {
    others.createNetwork({
      Name: 'azure',
      Type: 'L2Bridge',
      Flags: 8,
      Policies: [policy('NetAdapterName', { NetworkAdapterName: 'Ethernet' })],
      Ipams: [{ Type: 'Static', Subnets: [{ IpAddressPrefix: '10.224.0.0/16', Routes }] }],
      SchemaVersion,
    });
  },
  addresses: ['10.224.0.21', '10.224.0.22'],
  endpoint: (container, address) => ({
    Name: `${container.slice(0, 8)}-eth0`,
    ...podEndpoint(
      address,
      '10.224.0.1',
      policy('OutBoundNAT', { Exceptions: ['10.224.0.0/12'] }),
      policy('OutBoundNAT', { Destinations: [address] }),
      ...acls.map((one) => policy('ACL', one)),
    ),
    IpConfigurations: [{ IpAddress: address, PrefixLength: 16 }],
  }),
  kubeProxy: { dsr: true },
  endpoints: 3,
  findings: {
    'management address': 'PASS network "azure" on adapter "Ethernet": "vEthernet (Ethernet)" has 10.224.0.4',
    'default route': 'PASS via 10.224.0.1 on "vEthernet (Ethernet)"',
    'pod gateways': 'PASS 2 endpoints, gateway 10.224.0.1 (another host)',
  },
};
