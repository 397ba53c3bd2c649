import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hresultOf } from '../../simulator/hresults.ts';
import { type InventoryNode, loadBalancer, startInventoryNode } from './inventory-node.ts';
import { type Printed, problem, runCli, success } from './run-cli.ts';

let node: InventoryNode;
beforeEach(async () => {
  node = await startInventoryNode();
});
afterEach(() => node.stop());

function run(words: readonly string[]): Promise<Printed> {
  return runCli(['debug', 'loadbalancer', ...words], { system: node.outside });
}
const loadBalancers = () => node.hns.dump().loadBalancers;
const plan = [
  `1. delete load balancer ${loadBalancer} for 10.96.0.10`,
  '10.96.0.10 no longer accepts connections: 80->8080/tcp.',
  'Not created by win-hcn: its owner, such as kube-proxy, may not recreate it.',
];

describe('delete', () => {
  test('shows the effects, and deletes nothing without --yes', async () => {
    expect(await run(['delete', 'd4e6'])).toEqual(
      problem(...plan, 'No changes made. Rerun with --yes to apply.'),
    );
    expect(loadBalancers()).toHaveLength(1);
  });

  test('deletes a load balancer of any program with --yes', async () => {
    expect(await run(['delete', 'd4e6', '--yes'])).toEqual(
      success(...plan, `load balancer ${loadBalancer} was deleted`),
    );
    expect(loadBalancers()).toEqual([]);
  });

  test('says so if another program deletes it first', async () => {
    node.hns.inject({ function: 'HcnDeleteLoadBalancer', effect: { hresult: hresultOf('ERROR_NOT_FOUND') } });
    expect(await run(['delete', 'd4e6', '--yes'])).toEqual(
      success(...plan, `load balancer ${loadBalancer} is gone already`),
    );
  });
});
