import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { networkId, sourceVipId } from '../../../src/model/identity.ts';
import { type Node, startNode } from '../node.ts';
import { type CliEnvironment, type Printed, problem, runCli, success } from './run-cli.ts';

const network = networkId('vxlan0');
const vip = sourceVipId('vxlan0');
const conf = (more: object = {}) => ({
  cniVersion: '1.1.0',
  name: 'vxlan0',
  type: 'win-hcn',
  networkType: 'Overlay',
  adapter: 'Ethernet',
  subnets: [{ subnet: '10.244.1.0/24', vsid: 4096 }],
  ipam: { type: 'test-ipam' },
  sourceVip: true,
  ...more,
});
const hostLocal = { type: 'host-local', ranges: [[{ subnet: '10.244.1.0/24' }]] };
const folder = 'C:\\var\\lib\\cni\\networks\\vxlan0';

let node: Node;
beforeEach(async () => {
  node = await startNode({
    adapters: [{ name: 'Ethernet', managementIp: '10.0.0.4', mac: '00-15-5D-0A-0B-0C' }],
  });
});
afterEach(() => node.stop());

function cli(
  words: readonly string[],
  given: object = conf(),
  { files, ...surroundings }: CliEnvironment = {},
): Promise<Printed> {
  return runCli(words, {
    files: { 'net.conf': JSON.stringify(given), ...files },
    system: { ...node.outside, executable: '/opt/cni/bin/win-hcn.exe' },
    ...surroundings,
  });
}
const ensure = (given?: object, files: Record<string, string> = {}) =>
  cli(['network', 'ensure', 'net.conf', '--yes'], given, { files });
const endpoints = () =>
  node.hns.dump().endpoints.map(({ Name, IpConfigurations }) => [Name, IpConfigurations]);
const ipamRuns = () => node.ipam.runs.map(({ command }) => command);
const created = () => node.hns.calls.findLast((call) => call.function === 'HcnCreateEndpoint')?.document;
const leases = () => Object.fromEntries(node.ipam.leases);
const lines = (...all: readonly string[]) => `${all.join('\n')}\n`;
const theVip = [['vxlan0_source_vip', [{ IpAddress: '10.244.1.10', PrefixLength: 24 }]]];

const createNetwork = `1. create Overlay network "vxlan0" (${network})`;
const createVip = (step: number) => `${step}. create endpoint "vxlan0_source_vip" (${vip})`;
const createAll = [
  createNetwork,
  '2. add HostRoute to network "vxlan0"',
  '3. assign addresses with IPAM plugin test-ipam',
  createVip(4),
];
const impact =
  'Creating network "vxlan0" interrupts adapter "Ethernet", usually for 6 to 20 s: connections to the node through it, such as ' +
  'RDP and SSH, may break, and the adapter may lose a static address (microsoft/SDN#498).';
const described = `network "vxlan0" ${network} (Overlay, adapter "Ethernet", 10.244.1.0/24)`;
const start = 'start kube-proxy with --source-vip=10.244.1.10';
const dryRun = 'No changes made. Rerun with --yes to apply.';

describe('network ensure with sourceVip', () => {
  test('shows its steps, and runs no IPAM plugin without --yes', async () => {
    expect(await cli(['network', 'ensure', 'net.conf'])).toEqual(problem(...createAll, impact, dryRun));
    expect([ipamRuns(), endpoints()]).toEqual([[], []]);
  });

  test("reserves an address, creates kube-proxy's endpoint with it and a name, and prints it", async () => {
    expect((await ensure()).stdout).toBe(
      lines(
        ...createAll,
        impact,
        `${described} was created`,
        'source VIP 10.244.1.10 on it was created',
        start,
      ),
    );
    expect(created()).toEqual({
      ID: vip,
      Name: 'vxlan0_source_vip',
      HostComputeNetwork: network,
      IpConfigurations: [{ IpAddress: '10.244.1.10' }],
      MacAddress: '00:15:5d:0a:0b:0c',
      SchemaVersion: { Major: 2, Minor: 0 },
    });
    expect(leases()).toEqual({ 'kube-proxy source-vip': '10.244.1.10' });
    expect(JSON.parse(node.ipam.runs[0]?.stdin ?? '')).toEqual(conf());
  });

  test('takes the address that host-local reserved before a restart of the node', async () => {
    const files = { [`${folder}\\10.244.1.7`]: 'kube-proxy\r\nsource-vip' };
    expect((await ensure(conf({ ipam: hostLocal }), files)).stdout).toContain(
      'source VIP 10.244.1.7 on it was created',
    );
    expect([ipamRuns(), endpoints()]).toEqual([
      [],
      [['vxlan0_source_vip', [{ IpAddress: '10.244.1.7', PrefixLength: 24 }]]],
    ]);
  });

  test('rolls back the address if HNS refuses the endpoint, and keeps the new network', async () => {
    node.hns.inject({ function: 'HcnCreateEndpoint', effect: { hresult: 0x80070005 } });
    expect(await ensure()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('E_ACCESSDENIED') });
    expect([leases(), endpoints()]).toEqual([{}, []]);
    expect(node.hns.dump().networks).toHaveLength(1);
  });
});

describe('the source VIP', () => {
  const show = async (...words: readonly string[]) => (await cli(words)).stdout;

  test("is the node's, and no leftover of gc", async () => {
    await ensure();
    const [endpoint] = JSON.parse(await show('ls', 'endpoints', '-o', 'json')).endpoints;
    expect(endpoint).toMatchObject({ name: 'vxlan0_source_vip', owner: 'node', state: 'Created' });
    expect(endpoint).not.toHaveProperty('leftover');
    expect(await cli(['gc', '--other-plugins'])).toMatchObject({ exitCode: 0 });
  });

  test.each([true, false])(
    "keeps its address in the runtime's GC, with sourceVip %s there, and no pod gets it",
    async (sourceVip) => {
      await ensure();
      const pod = node.newPod();
      node.ipam.run({ CNI_COMMAND: 'ADD', CNI_CONTAINERID: 'dummy', CNI_IFNAME: 'dummy' }, '{}');
      const { json } = await node.add(conf(), pod);
      expect(json.ips[0].address).toBe('10.244.1.12/24');
      await node.gc({ ...conf({ sourceVip }), 'cni.dev/valid-attachments': [] }, pod);
      expect(leases()).toEqual({ 'kube-proxy source-vip': '10.244.1.10', 'dummy dummy': '10.244.1.11' });
      expect(endpoints()).toEqual(theVip);
    },
  );

  test('stays if the IPAM plugin assigns its address to a pod, which is refused', async () => {
    await ensure();
    node.ipam.run({ CNI_COMMAND: 'DEL', CNI_CONTAINERID: 'kube-proxy', CNI_IFNAME: 'source-vip' }, '');
    const { json } = await node.add(conf());
    expect(json.details).toContain(
      `endpoint "vxlan0_source_vip" (${vip}) has address 10.244.1.10 and is the source VIP of kube-proxy`,
    );
    expect([leases(), endpoints()]).toEqual([{}, theVip]);
  });

  test('is deleted with its network, and its address is released with the configuration file', async () => {
    await ensure();
    const words = ['network', 'delete', 'net.conf'];
    const steps = [
      `1. delete network "vxlan0" (${network}) and its source VIP (${vip})`,
      '2. release addresses with IPAM plugin test-ipam',
      'kube-proxy loses its source VIP (10.244.1.10/24).',
      'Connections to the node through adapter "Ethernet", such as RDP and SSH, can be interrupted.',
    ];
    expect(await cli(words)).toEqual(problem(...steps, dryRun));
    expect(await cli([...words, '--yes'])).toEqual({
      ...success(...steps, `network "vxlan0" ${network} was deleted`),
      stderr: 'deleting Overlay network "vxlan0"\n',
    });
    expect([leases(), endpoints()]).toEqual([{}, []]);
  });
});
