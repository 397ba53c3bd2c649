import { expect, test } from 'vitest';
import { generatedTypes } from '../../../src/cli/config/generate.ts';
import { fillPlaceholders } from '../../../src/cli/conflist/placeholders.ts';
import { conflistFiles } from '../../conflist-files.ts';
import { runCli } from './run-cli.ts';

// biome-ignore lint/suspicious/noExplicitAny: a conflist of any plugin
type Conflist = any;

const services = '--service-cidr 10.96.0.0/12';
const pods = (subnet: string) => `--subnet ${subnet} --cluster-cidr 10.244.0.0/16 ${services}`;
const onEthernet = (subnet: string) => `${pods(subnet)} --adapter Ethernet`;
const ofAgent = 'the agent creates the network, and HNS or flannel has its subnet';
const shown = 'what the example shows';
const ofNat = 'it has the keys of the plugin nat';

/** The options of `config generate` for each conflist, and the reason for each member of its plugin that differs. */
const sources: Readonly<
  Record<string, readonly [options: string, reasons?: Readonly<Record<string, string>>]>
> = {
  'conflist-examples/acls.conflist': [
    `--type L2Bridge ${onEthernet('10.244.4.0/24')} --name acls`,
    { acls: shown, defaultAction: shown, portMapping: shown },
  ],
  'conflist-examples/dual-stack.conflist': [
    `--type L2Bridge --subnet 10.244.3.0/24,fd00:10:244:3::/64 --cluster-cidr 10.244.0.0/16,fd00:10:244::/48 ${services},fd00:10:96::/112 --adapter Ethernet --ipam host-local --name dual-stack`,
    { ipam: 'all nodes share the IPv6 subnet, and each has its range' },
  ],
  'conflist-examples/l2bridge-host-endpoint.conflist': [
    `--type L2Bridge ${onEthernet('10.244.2.0/24')} --ipam host-local --name cbr0`,
  ],
  'conflist-examples/l2bridge.conflist': [
    `--type L2Bridge ${onEthernet('10.244.1.0/24')} --dns 10.96.0.10`,
    { dns: 'it also shows search domains', acls: shown, defaultAction: shown },
  ],
  'conflist-examples/mtu.conflist': [
    `--type L2Bridge ${pods('10.244.7.0/24')} --name mtu`,
    { mtu: shown, capabilities: 'it also shows mac' },
  ],
  'conflist-examples/nat.conflist': ['--type NAT'],
  'conflist-examples/nerdctl.conflist': [
    '--type NAT',
    { networkType: ofNat, ipam: ofNat, networkPolicies: ofNat, AdditionalArgs: ofNat },
  ],
  'conflist-examples/overlay.conflist': [
    `--type Overlay --subnet 10.245.1.0/24 --cluster-cidr 10.245.0.0/16 ${services} --adapter Ethernet --dns 10.96.0.10`,
    { dns: 'it also shows search domains' },
  ],
  'conflist-examples/proxy.conflist': [
    `--type L2Bridge ${onEthernet('10.244.6.0/24')} --name proxy`,
    { endpointPolicies: shown },
  ],
  'conflist-examples/static-overlay.conflist': [
    `--type Overlay ${onEthernet('10.244.1.0/24')} --ipam host-local --name pods`,
    { remoteSubnets: shown },
  ],
  'conflist-examples/static-routes.conflist': [
    `--type L2Bridge ${onEthernet('10.244.1.0/24')} --ipam host-local --name pods`,
    { remoteSubnets: shown },
  ],
  'conflist-examples/tier-acls.conflist': [
    `--type L2Bridge ${onEthernet('10.244.5.0/24')} --name tier-acls`,
    { endpointPolicies: shown },
  ],
  'deploy/flannel/host-gw.conflist': [
    `--type L2Bridge ${pods('10.244.1.0/24')} --name cbr0`,
    {
      ...{ createNetwork: ofAgent, subnets: ofAgent, hostEndpoint: ofAgent },
      outboundNat: 'flannel adds the pod network',
    },
  ],
  'deploy/flannel/vxlan.conflist': [
    `--type Overlay ${pods('10.244.1.0/24')} --name flannel.4096`,
    {
      ...{ createNetwork: ofAgent, subnets: ofAgent },
      outboundNat: 'flannel adds the pod network',
    },
  ],
  'deploy/kube-proxy/overlay.conflist': [
    `--type Overlay ${pods('10.244.1.0/24')} --ipam host-local`,
    { sourceVip: 'kube-proxy needs it on Overlay networks' },
  ],
  'deploy/l2bridge/10-win-hcn.conflist': [`--type L2Bridge ${pods('10.244.1.0/24')}`],
  'deploy/overlay/10-win-hcn.conflist': [`--type Overlay ${pods('10.244.1.0/24')}`],
  'deploy/ovn/05-win-hcn.conflist': [
    '--type Overlay --subnet 10.132.1.0/24 --cluster-cidr 10.128.0.0/14,10.132.0.0/14 --service-cidr 172.30.0.0/16 --name OVNKubernetesHybridOverlayNetwork',
    { createNetwork: ofAgent, subnets: ofAgent },
  ],
  'deploy/rke2/10-win-hcn.conflist': [
    '--type Overlay --subnet 10.42.1.0/24 --cluster-cidr 10.42.0.0/16 --service-cidr 10.43.0.0/16 --ipam host-local --name pods',
    { sourceVip: 'kube-proxy needs it on Overlay networks' },
  ],
  'docs/install.md': [`--type L2Bridge ${pods('10.244.1.0/24')} --dns 10.96.0.10`],
};

/** A plugin without comments; flannel's is its delegate. */
function membersOf({
  plugins: [{ type, delegate = {}, ...plugin }],
}: Conflist): Readonly<Record<string, unknown>> {
  const { type: _, ...members } = type === 'flannel' ? { ...plugin, ...delegate } : { type, ...plugin };
  return Object.fromEntries(Object.entries(members).filter(([key]) => !key.startsWith('x-')));
}

const files = Object.entries(conflistFiles());

test.each(files.filter(([path]) => path in sources))(
  '%s is what config generate prints, but for the members with a reason',
  async (path, text) => {
    const [options = '', reasons = {}] = sources[path] ?? [];
    const [, subnet = ''] = /--subnet ([^ ,]+)/.exec(options) ?? [];
    const { stdout } = await runCli(['config', 'generate', ...options.split(' ')]);
    const [file, generated]: readonly Conflist[] = [fillPlaceholders(text, [subnet]), stdout].map((json) =>
      JSON.parse(json),
    );
    const [members, printed] = [membersOf(file), membersOf(generated)];
    const without = (all: object) =>
      Object.fromEntries(Object.entries(all).filter(([key]) => !(key in reasons)));
    expect({ name: file.name, ...without(members) }).toEqual({ name: generated.name, ...without(printed) });
    for (const key of Object.keys(reasons)) expect(members[key], key).not.toEqual(printed[key]);
  },
);

test('config generate has no network type of the other conflists', () => {
  const types = files
    .filter(([path]) => !(path in sources))
    .map(([, text]) => membersOf(JSON.parse(text))['networkType']);
  expect(types).toEqual(['ICS', 'Internal', 'L2Tunnel', 'Private', 'Transparent']);
  expect(generatedTypes.filter((type) => types.includes(type))).toEqual([]);
});
