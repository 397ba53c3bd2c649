import { describe, expect, test } from 'vitest';
import type { HcnClient } from '../../../src/hcn/client.ts';
import type { Policy } from '../../../src/hcn/documents.ts';
import { HcnError, HcnTimeout } from '../../../src/hcn/errors.ts';
import {
  describeRemoteSubnet,
  removeNewRemoteSubnet,
  removeRemoteSubnet,
  restoreRemoteSubnet,
} from '../../../src/steps/remote-subnets.ts';
import type { RollbackStep } from '../../../src/steps/step.ts';
import { aTurn } from '../hcn/small-hcn.ts';

const id = '1c1f2b7d-7b6f-5d63-8a1d-8e8a2d7b3a21';
const policyTo = (DestinationPrefix: string, ProviderAddress = '10.0.0.5'): Policy => ({
  Type: 'RemoteSubnetRoute',
  Settings: {
    DestinationPrefix,
    IsolationId: 4096,
    ProviderAddress,
    DistributedRouterMacAddress: '00-15-5D-0A-0B-0C',
  },
});
const policy = policyTo('10.244.2.0/24');
/** The same in the form that HNS may return. */
const returned = { ...policy, Type: 'REMOTESUBNETROUTE' };

/** A network with these policies; undefined for an absent one. */
function withPolicies(policies: readonly Policy[] | undefined, failure?: Error) {
  const calls: unknown[] = [];
  const change =
    (name: string) =>
    async (...given: readonly unknown[]) => {
      await aTurn();
      calls.push([name, ...given]);
      if (failure !== undefined) throw failure;
    };
  const hcn = {
    findNetworkById: async () => policies && { ID: id, Policies: policies },
    addNetworkPolicies: change('add'),
    removeNetworkPolicies: change('remove'),
  } as unknown as HcnClient;
  return { hcn, calls };
}

const refused = new HcnError('removing', 0x803b0008, '');

describe('removing a remote subnet', () => {
  test('removes its policy as HNS returned it', async () => {
    const { hcn, calls } = withPolicies([policy]);
    expect(await removeRemoteSubnet(id, returned, hcn)).toBe(true);
    expect(calls).toEqual([['remove', id, [returned]]]);
  });

  test.each<readonly [string, readonly Policy[] | undefined]>([
    ['has it no longer', [policyTo('10.244.3.0/24')]],
    ['has no policies', []],
    ['is gone', undefined],
  ])('changes nothing if HNS refuses and the network %s', async (_, policies) => {
    expect(await removeRemoteSubnet(id, policy, withPolicies(policies, refused).hcn)).toBe(false);
  });

  test('fails if HNS refuses and still has it', async () => {
    const { hcn } = withPolicies([policyTo('10.244.3.0/24'), returned], refused);
    await expect(removeRemoteSubnet(id, policy, hcn)).rejects.toBe(refused);
  });

  test('fails if HNS does not respond', async () => {
    const late = new HcnTimeout('HcnModifyNetwork', 30);
    await expect(removeRemoteSubnet(id, policy, withPolicies([], late).hcn)).rejects.toBe(late);
  });
});

describe('removing a remote subnet that a request added', () => {
  test.each<readonly [string, readonly Policy[] | undefined, boolean, readonly unknown[]]>([
    [
      'removes it in the form of HNS',
      [policyTo('10.244.3.0/24'), returned],
      true,
      [['remove', id, [returned]]],
    ],
    ['keeps it if another request added one too', [returned, policy], true, []],
    ['removes none of another node', [policyTo('10.244.2.0/24', '10.0.0.9')], false, []],
    ['accepts a network that is gone', undefined, false, []],
  ])('%s', async (_, policies, existed, expected) => {
    const { hcn, calls } = withPolicies(policies);
    expect(await removeNewRemoteSubnet(id, policy, hcn)).toBe(existed);
    expect(calls).toEqual(expected);
  });
});

describe('restoring a removed remote subnet', () => {
  const ofNetwork = { id, name: 'vxlan0' };
  const restored = (policy: Policy) => ({ do: 'restore remote subnet', ...ofNetwork, policy }) as const;
  const elsewhere = policyTo('10.244.2.0/24', '10.0.0.9');

  test.each<readonly [string, readonly Policy[] | undefined, readonly RollbackStep[], boolean]>([
    ['adds its policy', [], [], true],
    ['adds it beside those of other subnets', [policyTo('10.244.3.0/24')], [], true],
    ['does nothing if another request added one for the subnet', [elsewhere], [], false],
    ['adds it beside one that the same rollback restored', [elsewhere], [restored(elsewhere)], true],
    [
      'does nothing if the rollback restores only others',
      [elsewhere],
      [
        restored(policyTo('10.244.9.0/24')),
        { do: 'remove new remote subnet', ...ofNetwork, policy: elsewhere, mayAppear: false },
      ],
      false,
    ],
    ['does nothing if the network is gone', undefined, [], false],
  ])('%s', async (_, policies, others, isAdded) => {
    const { hcn, calls } = withPolicies(policies);
    await restoreRemoteSubnet(restored(policy), others, hcn);
    expect(calls).toEqual(isAdded ? [['add', id, [policy]]] : []);
  });
});

test('a remote subnet is described with its addresses', () => {
  expect(describeRemoteSubnet(policy)).toBe('10.244.2.0/24 (10.0.0.5, 00-15-5D-0A-0B-0C)');
  expect(describeRemoteSubnet({ Type: 'RemoteSubnetRoute' })).toBe('undefined (undefined, undefined)');
});
