import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type InventoryNode, loadBalancer, startInventoryNode } from './inventory-node.ts';
import { failure, type Printed, problem, runCli, success } from './run-cli.ts';

const dns = {
  name: 'dns',
  network: 'l2bridge',
  frontendVIPs: ['10.96.0.11'],
  ports: [{ protocol: 'udp', port: 53 }],
  backends: ['10.244.1.2', '10.244.2.9'],
};
const id = '8c621451-04d1-5958-8253-70a8337109b0';
const remoteEndpoint = '7a4a0fe9-0663-5f87-926c-45db8986b08e';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

function run(words: readonly string[], text = JSON.stringify(dns)): Promise<Printed> {
  const files = { 'dns.json': text };
  return runCli(['debug', 'loadbalancer', ...words], { files, system: node.outside });
}
const apply = (more: object = {}) => run(['apply', 'dns.json'], JSON.stringify({ ...dns, ...more }));
const state = () => {
  const { endpoints, loadBalancers } = node.hns.dump();
  return { endpoints, loadBalancers };
};
const nothing = 'No changes made. Rerun with --yes to apply.';

describe('loadbalancer apply', () => {
  test('creates a load balancer, and changes none', async () => {
    const called = `load balancer "dns" ${id}`;
    expect(await apply()).toEqual(success(`${called} was created`));
    expect(await apply()).toEqual(success(`${called} exists as configured`));
    const before = state();
    expect(await apply({ frontendVIPs: ['10.96.0.12'] })).toEqual(
      failure(
        1,
        `win-hcn: load balancer "dns" (${id}) exists and differs from the configuration`,
        `delete it with win-hcn debug loadbalancer delete dns --yes and apply the file again; win-hcn show loadbalancer ${id} shows its settings`,
      ),
    );
    expect(state()).toEqual(before);
  });

  test('reports problems with line and column as validate does, and calls HCN for nothing', async () => {
    node.hns.clearCalls();
    const text =
      '{ "name": "dns",\n  "Network": 5, "frontendVIP": ["10.96.0.10"],\n  "Ports": [{ "protocol": "udp", "Port": 99999 }],\n  "backends": ["10.244.2.7"] }';
    expect(await run(['apply', 'dns.json'], text)).toEqual(
      failure(
        1,
        'dns.json:2:14: problem: /Network is 5, expected the name of an HCN network',
        'dns.json:2:17: problem: /frontendVIP is an unknown key (value: ["10.96.0.10"]), did you mean "frontendVIPs"?',
        'dns.json:3:42: problem: /Ports/0/Port is 99999, expected a port, or a range such as 8080-8090',
        'dns.json: 3 problems',
      ),
    );
    expect(node.hns.calls).toEqual([]);
  });

  test.each([
    ['[]', 'dns.json:1:1: problem: the file is not a JSON object'],
    ['{ "name": "n", }', 'dns.json:1:16: problem: unexpected "}" after a comma'],
    [
      JSON.stringify({ ...dns, backends: ['10.244.2.7', 'fd00::7'] }),
      'dns.json:1:130: problem: /backends/1 is "fd00::7", expected an IPv4 address like /frontendVIPs/0',
    ],
  ])('reports the problem of %s', async (text, problem) => {
    expect(await run(['apply', 'dns.json'], text)).toEqual(failure(1, problem, 'dns.json: 1 problem'));
  });

  test('fails for a missing network', async () => {
    expect(await apply({ network: 'overlay' })).toEqual(
      failure(
        1,
        'win-hcn: /network is "overlay", and HCN has no network of this name',
        'correct the name, or create the network with win-hcn network ensure FILE',
      ),
    );
  });

  test('leaves nothing after a failed call', async () => {
    for (let k = 1; ; k += 1) {
      const before = state();
      const { calls } = node.hns.dump();
      node.hns.inject({ ordinal: k, effect: { hresult: 0x80004005 } });
      const { exitCode } = await apply();
      if (exitCode === 0) {
        expect(node.hns.calls).toHaveLength(calls + k - 1);
        return;
      }
      node.hns.clearFaults();
      expect(state(), `call ${k}`).toEqual(before);
    }
  });
});

describe('loadbalancer delete', () => {
  const plan = [
    `1. delete load balancer ${id} for 10.96.0.11`,
    `2. delete remote endpoint "remote_10.244.2.9" (${remoteEndpoint})`,
    '10.96.0.11 no longer accepts connections: 53->53/udp.',
  ];

  test.each(['dns', 'dns.json', '8c62'])(
    'shows the effects for %s, and deletes nothing without --yes',
    async (key) => {
      await apply();
      const before = state();
      expect(await run(['delete', key])).toEqual(problem(...plan, nothing));
      expect(state()).toEqual(before);
    },
  );

  test('deletes the load balancer and its remote endpoint with --yes', async () => {
    const before = state();
    await apply();
    expect(await run(['delete', 'dns', '--yes'])).toEqual(
      success(...plan, `load balancer ${id} was deleted`),
    );
    expect(state()).toEqual(before);
  });

  test('deletes a load balancer of another program by its id', async () => {
    expect(await run(['delete', 'd4e6', '--yes'])).toEqual(
      success(
        `1. delete load balancer ${loadBalancer} for 10.96.0.10`,
        '10.96.0.10 no longer accepts connections: 80->8080/tcp.',
        'Not created by win-hcn: its owner, such as kube-proxy, may not recreate it.',
        `load balancer ${loadBalancer} was deleted`,
      ),
    );
    expect(node.hns.dump().loadBalancers).toEqual([]);
  });

  test('succeeds for the file of a missing load balancer, and fails for an unknown key', async () => {
    expect(await run(['delete', 'dns.json', '--yes'])).toEqual(
      success('HCN has no load balancer "dns": nothing to delete'),
    );
    expect(await run(['delete', 'dns', '--yes'])).toEqual(
      failure(
        1,
        'win-hcn: HCN has no load balancer "dns". Run win-hcn ls loadbalancers to list load balancers.',
      ),
    );
  });
});
