import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { containerdNatConf, createNatNetwork, nerdctlConflist } from '../../cluster/agents/nat-networks.ts';
import { expectReach } from '../../cluster/judge.ts';
import { router } from '../../cluster/router.ts';
import { windowsNode } from '../../cluster/windows-node.ts';
import { type Node, startNode } from '../node.ts';

const portMappings = [{ hostPort: 8080, containerPort: 80, protocol: 'tcp' }];
const portMapping = {
  Type: 'PortMapping',
  Settings: { Protocol: 6, InternalPort: 80, ExternalPort: 8080 },
};

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

const readConflist = (name: string) => JSON.parse(readFileSync(`conflist-examples/${name}.conflist`, 'utf8'));

/** The plugin's configuration as libcni derives it from a conflist. */
function fromConflist(conflist: object): object {
  const { plugins, nerdctlID: _id, nerdctlLabels: _labels, ...list } = Object(conflist);
  return { ...list, ...plugins[0] };
}

/** As libcni: a plugin gets the arguments for its capabilities only. */
function withRuntime(conflist: object, args: object): object {
  const { capabilities = {}, ...config } = Object(fromConflist(conflist));
  const wanted = Object.entries(args).filter(([name]) => capabilities[name] === true);
  return { ...config, runtimeConfig: Object.fromEntries(wanted) };
}

const subnets = () =>
  node.hns.dump().networks.map(({ Name, Ipams }) => {
    const [subnet] = Object(Ipams)[0].Subnets;
    return [Name, subnet.IpAddressPrefix, subnet.Routes?.[0].NextHop];
  });

describe("with the file of containerd's script, win-hcn in the place of nat", () => {
  test("gives a container an address of the network nat, whatever the file's subnet, and maps its port", async () => {
    await createNatNetwork(node.hcn, '172.28.112.0/20', '172.28.112.1');
    const conf = containerdNatConf('172.28.112.1', 20);
    expect(conf).toMatchObject({ ipam: { subnet: '172.28.112.0/12' } });
    const { exitCode, json, log } = await node.add({ ...conf, runtimeConfig: { portMappings } });
    expect({ exitCode, log }).toEqual({ exitCode: 0, log: '' });
    expect(json.ip4).toMatchObject({ ip: '172.28.112.2/20', gateway: '172.28.112.1' });
    expect(subnets()).toEqual([['nat', '172.28.112.0/20', '172.28.112.1']]);
    expect(node.hns.dump().endpoints).toMatchObject([{ Name: 'pod1_nat', Policies: [portMapping] }]);
  });

  test('containers reach each other, the outside from the address of the node, and outside hosts their ports', async () => {
    await createNatNetwork(node.hcn, '172.28.112.0/20', '172.28.112.1');
    const conf = { ...containerdNatConf('172.28.112.1', 20), runtimeConfig: { portMappings } };
    const addresses = [];
    for (const one of [conf, { ...conf, runtimeConfig: {} }])
      addresses.push((await node.add(one)).json.ip4.ip.split('/')[0]);
    const cluster = {
      nodes: [windowsNode('win', node.hns), router({ addresses: ['10.0.0.1/24'], outside: ['8.8.8.8'] })],
    };
    const [one, two] = addresses;
    expectReach(cluster, one, two);
    expectReach(cluster, one, '8.8.8.8:443', { as: '10.0.0.4' });
    expectReach(cluster, '8.8.8.8', '10.0.0.4:8080', { as: '8.8.8.8' });
    expectReach(cluster, 'win', two, { as: '172.28.112.1' });
    expectReach(cluster, one, '10.0.0.4:80', { as: one });
  });

  test("without the network nat, creates it with the file's subnet", async () => {
    expect(await node.add(containerdNatConf('172.28.112.1', 20))).toMatchObject({ exitCode: 0 });
    expect(subnets()).toEqual([['nat', '172.16.0.0/12', '172.28.112.1']]);
  });
});

describe('with the files of nerdctl, win-hcn in the place of nat', () => {
  const labels = { 'nerdctl/default-network': 'true' };
  const nat = nerdctlConflist('nat', '10.4.0.0/24', '10.4.0.1', labels);
  const web = nerdctlConflist('web', '10.4.1.0/24', '10.4.1.1');

  test('creates each network with its subnet, and gives containers addresses', async () => {
    for (const conflist of [nat, web])
      expect(await node.add(fromConflist(conflist))).toMatchObject({ exitCode: 0, log: '' });
    expect(subnets()).toEqual([
      ['nat', '10.4.0.0/24', '10.4.0.1'],
      ['web', '10.4.1.0/24', '10.4.1.1'],
    ]);
  });

  test("keeps Docker's network nat, whose subnet is another one", async () => {
    await createNatNetwork(node.hcn, '172.28.112.0/20', '172.28.112.1');
    const { json } = await node.add(fromConflist(nat));
    expect(json.ips).toMatchObject([{ address: '172.28.112.2/20', gateway: '172.28.112.1' }]);
    expect(subnets()).toEqual([['nat', '172.28.112.0/20', '172.28.112.1']]);
  });
});

describe('conflist-examples/nerdctl.conflist, win-hcn in the place of nat', () => {
  // nerdctl passes port mappings, and no DNS.
  const add = (plugin: object = {}) =>
    node.add({ ...withRuntime(readConflist('nerdctl'), { portMappings }), ...plugin });

  test('maps the port of nerdctl run -p, and translates', async () => {
    expect(await add()).toMatchObject({ exitCode: 0, log: '' });
    const { endpoints, networks } = node.hns.dump();
    expect(endpoints).toMatchObject([{ Name: 'pod1_nat', Policies: [portMapping] }]);
    expect(networks).toMatchObject([
      { Name: 'nat', Policies: [{ Type: 'AutomaticDNS', Settings: { Enable: true } }] },
    ]);
    const cluster = {
      nodes: [windowsNode('win', node.hns), router({ addresses: ['10.0.0.1/24'], outside: ['8.8.8.8'] })],
    };
    expectReach(cluster, '10.4.0.2', '8.8.8.8:443', { as: '10.0.0.4' });
    expectReach(cluster, '8.8.8.8', '10.0.0.4:8080', { as: '8.8.8.8' });
  });

  test('gives a container the DNS servers of the key dns', async () => {
    const { json } = await add({ dns: { nameservers: ['10.0.0.53'] } });
    expect(json.dns).toEqual({ nameservers: ['10.0.0.53'] });
    expect(node.hns.dump().endpoints).toMatchObject([{ Dns: { ServerList: ['10.0.0.53'] } }]);
  });
});

test.each(['nat', 'nerdctl'])(
  "%s.conflist uses Windows' or Docker's network nat, whatever its subnet",
  async (name) => {
    await createNatNetwork(node.hcn, '172.28.112.0/20', '172.28.112.1');
    const { json } = await node.add(fromConflist(readConflist(name)));
    expect(json.ips).toMatchObject([{ address: '172.28.112.2/20', gateway: '172.28.112.1' }]);
    expect(subnets()).toEqual([['nat', '172.28.112.0/20', '172.28.112.1']]);
  },
);
