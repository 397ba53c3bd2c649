import { afterEach, describe, expect, test } from 'vitest';
import { type Node, startNode } from '../node.ts';
import { config } from './l2bridge.ts';
import { type Printed, runCli } from './run-cli.ts';

const hostEndpoint = 'c8faa31f-9a0f-5767-9900-0b7e896e4025';

let node: Node;
afterEach(() => node.stop());

function run(...words: readonly string[]): Promise<Printed> {
  const files = { 'net.conf': JSON.stringify(config({ hostEndpoint: {} })) };
  return runCli(words, { files, system: node.outside });
}
const remove = (...words: readonly string[]) => run('network', 'delete', ...words);

describe('network delete, with load balancers,', () => {
  const own = '8c621451-04d1-5958-8253-70a8337109b0';
  const foreign = 'd4e6032f-bbf7-4b5a-880f-667bebc65504';
  const ofNat = 'e5e6032f-bbf7-4b5a-880f-667bebc65505';
  const natEndpoint = 'f6e6032f-bbf7-4b5a-880f-667bebc65506';
  const SchemaVersion = { Major: 2, Minor: 0 };

  /** A network with two load balancers, and another network with one. */
  async function startBalanced() {
    node = await startNode();
    await run('network', 'ensure', 'net.conf', '--yes');
    const nat = 'a7e6032f-bbf7-4b5a-880f-667bebc65507';
    await node.hcn.createNetwork(nat, { Name: 'nat', Type: 'NAT', SchemaVersion });
    await node.hcn.createEndpoint(nat, natEndpoint, { Name: 'x', HostComputeNetwork: nat, SchemaVersion });
    const create = (id: string, vip: string, endpoint: string) =>
      node.hcn.createLoadBalancer(id, {
        HostComputeEndpoints: [endpoint],
        FrontendVIPs: [vip],
        PortMappings: [{ Protocol: 6, InternalPort: 8080, ExternalPort: 80 }],
        SchemaVersion,
      });
    await create(own, '10.96.0.11', hostEndpoint);
    await create(foreign, '10.96.0.12', hostEndpoint);
    await create(ofNat, '10.96.0.13', natEndpoint);
  }
  const ids = () => node.hns.dump().loadBalancers.map(({ ID }) => ID);

  test('keeps the network, and restores the others, if HNS refuses to delete one', async () => {
    await startBalanced();
    node.hns.inject({ function: 'HcnDeleteLoadBalancer', ordinal: 2, effect: { hresult: 0x80070005 } });
    const { exitCode, stderr } = await remove('l2bridge', '--yes');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining(
        `win-hcn: deleting load balancer ${foreign}: HCN returned E_ACCESSDENIED`,
      ),
    });
    expect(node.hns.dump().networks).toMatchObject([{ Name: 'l2bridge' }, { Name: 'nat' }]);
    expect(ids().toSorted()).toEqual([own, foreign, ofNat].toSorted());
  });
});
