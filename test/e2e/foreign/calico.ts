import { macFromAddress } from '../../../src/net/mac.ts';
import { type Fixture, podEndpoint, policy, SchemaVersion, services } from './foreign-node.ts';

const acl = (RuleType: string, Direction: string, Priority: number, more: object = {}) =>
  policy('ACL', { Action: 'Allow', Direction, Protocols: '256', RuleType, Priority, ...more });

/**
 * Calico for Windows with VXLAN, by its source (projectcalico/calico at 87c1590): node-service.ps1 creates `External`; the CNI plugin
 * creates `Calico`, its source VIP `Calico_ep` and the endpoints; felix creates the remote subnets and the ACLs.
 */
export const calico: Fixture = {
  plugin: 'calico',
  nodeIp: '10.0.0.4',
  folders: ['C:\\opt\\cni\\bin', 'C:\\etc\\cni\\net.d'],
  confs: {
    '10-calico.conflist': {
      name: 'Calico',
      cniVersion: '0.3.1',
      plugins: [
        {
          type: 'calico',
          mode: 'vxlan',
          vxlan_mac_prefix: '0E-2A',
          vxlan_vni: 4096,
          windows_use_single_network: true,
          windows_loopback_DSR: true,
          policy: { type: 'k8s' },
          capabilities: { dns: true },
          DNS: { Nameservers: ['10.96.0.10'], Search: ['svc.cluster.local'] },
          datastore_type: 'kubernetes',
          ipam: { type: 'calico-ipam', subnet: 'usePodCidr' },
          policies: [
            { Type: 'OutBoundNAT', ExceptionList: [services] },
            { Type: 'SDNROUTE', DestinationPrefix: services, NeedEncap: true },
          ].map((Value) => ({ Name: 'EndpointPolicy', Value })),
        },
      ],
    },
  },
  programs: ['calico', 'calico-ipam'],
  network: 'Calico',
  prepare: async ({ hns: { others }, hcn }) => {
    const overlay = (Name: string, IpAddressPrefix: string, NextHop: string, IsolationId: number) => {
      const Routes = [{ NextHop, DestinationPrefix: '0.0.0.0/0' }];
      const subnet = { IpAddressPrefix, Policies: [policy('VSID', { IsolationId })], Routes };
      return others.createNetwork({ Name, Type: 'Overlay', Ipams: [{ Subnets: [subnet] }] });
    };
    overlay('External', '192.168.255.0/30', '192.168.255.1', 9999);
    const id = overlay('Calico', '10.244.213.192/26', '10.244.213.193', 4096);
    const router = { ProviderAddress: '10.0.0.5', DistributedRouterMacAddress: '00-15-5d-00-00-05' };
    const remote = { DestinationPrefix: '10.244.64.0/26', IsolationId: 4096, ...router };
    await hcn.addNetworkPolicies(id, [policy('HostRoute', {}), policy('RemoteSubnetRoute', remote)]);
    await hcn.createEndpoint(id, 'c6e3f1d2-5b0c-4c8e-9a54-6d1f5e3b7c28', {
      Name: 'Calico_ep',
      HostComputeNetwork: id,
      IpConfigurations: [{ IpAddress: '10.244.213.194' }],
      MacAddress: '00:15:5d:00:00:04',
      Policies: [policy('ProviderAddress', { ProviderAddress: '10.0.0.4' })],
      Flags: 1,
      SchemaVersion,
    });
  },
  addresses: ['10.244.213.196', '10.244.213.197'],
  endpoint: (container, address) => ({
    Name: `${container}_Calico`,
    MacAddress: macFromAddress('0E-2A', address),
    ...podEndpoint(
      address,
      '10.244.213.193',
      policy('OutBoundNAT', { Exceptions: [services, '10.244.0.0/16'] }),
      policy('SDNRoute', { DestinationPrefix: services, NeedEncap: true }),
      policy('ProviderAddress', { ProviderAddress: '10.0.0.4' }),
      policy('OutBoundNAT', { Destinations: [address] }),
      acl('Host', 'In', 100),
      acl('Host', 'Out', 100),
      acl('Switch', 'In', 900, { RemoteAddresses: '10.0.0.4/32' }),
      acl('Switch', 'In', 1000),
      acl('Switch', 'Out', 1000),
    ),
  }),
  kubeProxy: { dsr: true, sourceVip: '10.244.213.194' },
  endpoints: 7,
  findings: {
    subnets: 'PASS 2 networks on adapters, no overlaps on a segment',
    'pod gateways': 'PASS 2 endpoints, gateway 10.244.213.193 (HNS)',
  },
};
