import { describe, expect, test } from 'vitest';
import type { HcnClient } from '../../../src/hcn/client.ts';
import type { Policy } from '../../../src/hcn/documents.ts';
import { HcnError } from '../../../src/hcn/errors.ts';
import { removeRemoteSubnet } from '../../../src/steps/remote-subnets.ts';
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
  test('fails if HNS refuses and still has it', async () => {
    const { hcn } = withPolicies([policyTo('10.244.3.0/24'), returned], refused);
    await expect(removeRemoteSubnet(id, policy, hcn)).rejects.toBe(refused);
  });
});
