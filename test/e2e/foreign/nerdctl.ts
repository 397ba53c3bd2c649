import { containerdNatConf, createNatNetwork, nerdctlConflist } from '../../cluster/agents/nat-networks.ts';
import { type Fixture, policy } from './foreign-node.ts';

const gateway = '172.19.208.1';
const folder = 'C:\\Program Files\\containerd\\cni';
const labels = { 'nerdctl/default-network': 'true' };
const port = policy('PortMapping', { Protocol: 6, InternalPort: 80, ExternalPort: 8080 });

/** nerdctl with the plugin nat and containerd's script, without Kubernetes: HNS assigns the addresses, one container has a port. */
export const nerdctl: Fixture = {
  plugin: 'nat',
  nodeIp: '10.0.0.4',
  folders: [`${folder}\\bin`, `${folder}\\conf`],
  hasNoToml: true,
  confs: {
    '0-containerd-nat.conf': containerdNatConf(gateway, 20),
    'nerdctl-nat.conflist': nerdctlConflist('nat', '172.19.208.0/20', gateway, labels),
  },
  programs: ['nat'],
  network: 'nat',
  prepare: ({ hcn }) => createNatNetwork(hcn, '172.19.208.0/20', gateway),
  addresses: ['172.19.208.2', '172.19.208.3'],
  endpoint: (container, address) => ({
    Name: `${container}_nat`,
    Dns: { ServerList: [gateway] },
    Routes: [{ NextHop: gateway, DestinationPrefix: '0.0.0.0/0' }],
    Policies: address.endsWith('.2') ? [port] : [],
  }),
  endpoints: 2,
  findings: {
    paths: 'PASS no predicted loss on this node for 2 endpoints: to DNS server 172.19.208.1',
    containerd: `PASS plugins in ${folder}\\bin, configurations in ${folder}\\conf: the defaults, because C:\\Program Files\\containerd\\config.toml does not exist`,
    'default route': 'PASS via 10.0.0.1 on "Ethernet"',
    'pod gateways': 'PASS 2 endpoints, gateway 172.19.208.1 (this node)',
  },
};
