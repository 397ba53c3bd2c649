import { readdirSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { recipeFile } from '../cluster/recipe-file.ts';
import { type Profile, profileNames } from '../simulator/profiles.ts';
import { type Node, startNode } from './node.ts';

const example = (name: string) => recipeFile(`conflist-examples/${name}.conflist`);
const names = readdirSync('conflist-examples').map((file) => file.replace('.conflist', ''));

/** The second adapter has no gateway, and the MAC address of an example. */
const adapters = [
  { name: 'Ethernet', managementIp: '10.0.0.4' },
  { name: 'Ethernet 2', managementIp: '172.16.0.4', mac: '00-15-5D-00-00-01' },
];

/** The errors of ADD on Windows releases without a feature that the example requires. All other combinations succeed. */
const missing: Readonly<Record<string, Partial<Record<Profile, string>>>> = {
  'dual-stack': { ws2019: 'IPv6DualStack needs HNS 11.10 or later; this host has 9.5' },
  proxy: { ws2019: 'L4WfpProxy needs HNS 13.2 or later; this host has 9.5' },
  'tier-acls': {
    ws2019: 'TierAcl needs HNS 14.0 or later; this host has 9.5',
    ws2022: 'TierAcl needs HNS 14.0 or later; this host has 13.3',
  },
};
const cells = names.flatMap((name) => profileNames.map((profile) => ({ name, profile })));
const isMissing = ({ name, profile }: (typeof cells)[number]) => missing[name]?.[profile] !== undefined;

/** The runtime's values for the capabilities of an example. */
const runtime: Readonly<Record<string, unknown>> = {
  dns: { servers: ['10.96.0.10'] },
  portMappings: [{ hostPort: 8080, containerPort: 80, protocol: 'tcp' }],
  bandwidth: { egressRate: 8_000_000, egressBurst: 8_000_000 },
  ips: ['10.42.0.77/24'],
  mac: '02-11-22-33-44-55',
};

function requestConfig(name: string, ipam: object = { type: 'test-ipam' }) {
  const { ipam: own, capabilities = {}, ...config } = example(name);
  const runtimeConfig = Object.fromEntries(
    Object.keys(Object(capabilities)).map((capability) => [capability, runtime[capability]]),
  );
  return { ...config, runtimeConfig, ...(own !== undefined && { ipam: Object(own)['type'] ? ipam : own }) };
}

let node: Node | undefined;
afterEach(() => node?.stop());

async function startExample(name: string, profile: Profile): Promise<Node> {
  node = await startNode({ adapters, profile });
  const [subnet, second] = Object(example(name)['subnets'] ?? []);
  if (subnet !== undefined) node.ipam.prefix = subnet.subnet.replace(/0\/\d+$/, '');
  if (second !== undefined) node.ipam.prefix6 = second.subnet.replace(/\/\d+$/, '');
  return node;
}

test.each(cells.filter((cell) => !isMissing(cell)))(
  'ADD, CHECK and DEL succeed with $name on $profile',
  async ({ name, profile }) => {
    const { cni, hns, newPod, ipam } = await startExample(name, profile);
    const before = hns.dump();
    const config = requestConfig(name);
    const pod = newPod();
    const added = await cni('ADD', { config, pod });
    expect(added).toMatchObject({
      exitCode: 0,
      json: { interfaces: [{ name: 'eth0', sandbox: pod.netns }] },
    });
    expect(added.json.ips.length).toBeGreaterThan(0);
    const checked = await cni('CHECK', { config: { ...config, prevResult: added.json }, pod });
    expect(checked).toMatchObject({ exitCode: 0, stdout: '' });
    const network = hns.dump().networks.find((one) => one['Name'] === config['name' as never]);
    expect(await cni('DEL', { config, pod })).toMatchObject({ exitCode: 0, stdout: '' });
    const after = hns.dump();
    expect(after.endpoints.filter((one) => !String(one['Name']).endsWith('_ep'))).toEqual(before.endpoints);
    expect(after.networks).toEqual([...before.networks, network]);
    expect(ipam.leases.size).toBe(0);
  },
);

test.each(cells.filter(isMissing))(
  'ADD with $name is refused on $profile, which lacks a feature',
  async ({ name, profile }) => {
    const { cni, newPod } = await startExample(name, profile);
    expect(await cni('ADD', { config: requestConfig(name), pod: newPod() })).toMatchObject({
      exitCode: 1,
      json: { code: 7, msg: expect.stringContaining(missing[name]?.[profile] ?? 'nothing') },
    });
  },
);
