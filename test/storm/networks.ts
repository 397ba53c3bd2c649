import { example } from '../e2e/example.ts';
import type { Adapter } from '../simulator/state.ts';
import type { Random } from './random.ts';

/** A network of the node, with the configuration that runtimes pass. */
export interface StormNetwork {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** Assigns addresses: the plugin in memory, or HNS. */
  readonly addresses: 'memory' | 'HNS';
  /** The beginnings of the addresses of pods. */
  readonly prefix: string;
  readonly prefix6?: string;
  /** Whether the network supports host ports. */
  readonly hasHostPorts: boolean;
}

export const adapters: readonly Adapter[] = [
  { name: 'Ethernet', managementIp: '10.0.0.4' },
  { name: 'Ethernet 2', managementIp: '10.0.1.4' },
  { name: 'Ethernet 3', managementIp: '10.0.2.4' },
];

const pool = (...subnets: readonly string[]) => ({
  type: 'host-local',
  ranges: subnets.map((one) => [{ subnet: one }]),
});
const own = (file: string, name: string, changes: object) => {
  const { ipam: _, ...config } = example(file, { cniVersion: '1.1.0', ...changes });
  return { ...config, name };
};
const subnet = (prefix: string, more: object = {}) => [
  { subnet: `${prefix}0/24`, gateway: `${prefix}1`, ...more },
];
const bridge = (name: string, prefix: string, adapter: string, more: object = {}) =>
  own('l2bridge', name, { adapter, subnets: subnet(prefix), ...more });

/** The networks for each adapter, of which one is chosen. */
const onAdapter: readonly (readonly [StormNetwork, ...StormNetwork[]])[] = [
  [
    {
      name: 'bridge',
      config: { ...bridge('bridge', '10.244.1.', 'Ethernet'), ipam: pool('10.244.1.0/24') },
      addresses: 'memory',
      prefix: '10.244.1.',
      hasHostPorts: true,
    },
    {
      name: 'cbr0',
      config: {
        ...own('l2bridge-host-endpoint', 'cbr0', { adapter: 'Ethernet' }),
        ipam: pool('10.244.2.0/24'),
      },
      addresses: 'memory',
      prefix: '10.244.2.',
      hasHostPorts: true,
    },
  ],
  [
    {
      name: 'assigned',
      config: bridge('assigned', '10.246.1.', 'Ethernet 2'),
      addresses: 'HNS',
      prefix: '10.246.1.',
      hasHostPorts: true,
    },
    {
      name: 'both',
      config: {
        ...own('dual-stack', 'both', { adapter: 'Ethernet 2' }),
        ipam: pool('10.244.3.0/24', 'fd00:10:244:3::/64'),
      },
      addresses: 'memory',
      prefix: '10.244.3.',
      prefix6: 'fd00:10:244:3::',
      hasHostPorts: true,
    },
  ],
  [
    {
      name: 'overlay',
      config: {
        ...own('overlay', 'overlay', {
          adapter: 'Ethernet 3',
          subnets: subnet('10.245.1.', { vsid: 4096 }),
        }),
        ipam: pool('10.245.1.0/24'),
      },
      addresses: 'memory',
      prefix: '10.245.1.',
      hasHostPorts: false,
    },
  ],
];

const translated: StormNetwork = {
  name: 'translated',
  config: own('nat', 'translated', { subnets: [{ subnet: '172.28.0.0/20' }] }),
  addresses: 'HNS',
  prefix: '172.28.',
  hasHostPorts: true,
};

/** Chooses a network for each adapter, and perhaps one that needs none. */
export function chooseNetworks(
  random: Random,
  { hasDualStack }: { readonly hasDualStack: boolean },
): readonly StormNetwork[] {
  const possible = onAdapter.map((list) =>
    list.filter(({ prefix6 }) => hasDualStack || prefix6 === undefined),
  );
  return [...possible.flatMap((list) => random.pickIfAny(list) ?? []), ...random.some([translated], 0.6)];
}
