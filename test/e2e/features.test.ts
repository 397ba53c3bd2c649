import { afterEach, describe, expect, test } from 'vitest';
import type { Profile } from '../simulator/profiles.ts';
import { hastyClock } from './clock.ts';
import { example } from './example.ts';
import { type Node, startNode } from './node.ts';

let node: Node;
afterEach(() => node.stop());

const proxy = { Type: 'L4WFPPROXY', Settings: { OutboundProxyPort: '15001' } };
const both = [{ subnet: '10.244.1.0/24' }, { subnet: 'fd00:10:244::/64' }];

describe('a feature that the host does not support', () => {
  test.each([
    [
      'ws2022',
      'tier-acls',
      {},
      '/endpointPolicies/0: TierAcl needs HNS 14.0 or later; this host has 13.3 (Windows Server 2022)',
    ],
    [
      'ws2019',
      'l2bridge',
      {
        acls: [
          { action: 'Block', direction: 'In', priority: 200 },
          { action: 'Allow', direction: 'In', protocols: ['TCP', 252], priority: 100 },
        ],
      },
      '/acls/1: AclSupportForProtocol252 needs HNS 11.0 or later; this host has 9.5 (Windows Server 2019)',
    ],
    [
      'ws2019',
      'l2bridge',
      { subnets: both },
      '/subnets/1/subnet: IPv6DualStack needs HNS 11.10 or later; this host has 9.5 (Windows Server 2019)',
    ],
    [
      'ws2022',
      'l2bridge',
      { networkFlags: ['EnableNonPersistent', 'DisableHostPort'] },
      '/networkFlags/1: DisableHostPort needs HNS 15.1 or later; this host has 13.3 (Windows Server 2022)',
    ],
  ] as const)(
    'on %s, in the %s example with %j: ADD fails with the required version and changes nothing',
    async (profile: Profile, name, changes, message) => {
      node = await startNode({ profile });
      const config = example(name, { ...changes, ipam: { type: 'test-ipam' } });
      const before = node.hns.dump();
      const answer = await node.add(config);
      expect(answer).toMatchObject({ exitCode: 1, json: { code: 7, msg: message } });
      const reads = ['HNSCall', 'HcnEnumerateNetworks', 'HcnOpenNamespace', 'HcnOpenNetwork'];
      expect(answer.calls.toSorted()).toEqual(reads);
      expect(node.hns.dump().networks).toEqual(before.networks);
      expect(node.ipam.runs).toEqual([]);
      await node.stop();
      // STATUS allows HCN one second; the hasty clock makes it ten milliseconds.
      node = await startNode({ profile }, () => hastyClock(1));
      const status = await node.status({ ...config, cniVersion: '1.1.0' });
      expect(status).toMatchObject({ exitCode: 1, json: { code: 50, msg: message } });
    },
  );

  test('the details list all further features', async () => {
    node = await startNode({ profile: 'ws2019' });
    const config = example('tier-acls', { endpointPolicies: [proxy, ...tiers()] });
    expect(await node.add(config)).toMatchObject({
      json: {
        msg: '/endpointPolicies/0: L4WfpProxy needs HNS 13.2 or later; this host has 9.5 (Windows Server 2019)',
        details:
          '/endpointPolicies/1: TierAcl needs HNS 14.0 or later; this host has 9.5 (Windows Server 2019); ' +
          '/endpointPolicies/2: TierAcl needs HNS 14.0 or later; this host has 9.5 (Windows Server 2019)',
      },
    });
  });

  test('ADD fails with code 11 if HNS does not return its version', async () => {
    node = await startNode();
    node.hns.inject({ function: 'HNSCall', effect: { hresult: 0x800706ba } });
    expect(await node.add(example('proxy'))).toMatchObject({
      json: {
        code: 11,
        msg: expect.stringContaining("Querying the Host Network Service's version failed with"),
      },
    });
  });
});

function tiers(): readonly object[] {
  return example('tier-acls')['endpointPolicies'] as readonly object[];
}

describe('the version of HNS', () => {
  test('is queried once; network policies count only if ADD creates the network', async () => {
    node = await startNode();
    const networkPolicies = [{ Type: 'VxlanPort', Settings: { Port: 4790 } }];
    const config = example('overlay', { endpointPolicies: [proxy, proxy], networkPolicies });
    const first = await node.add(config);
    expect(first.calls.filter((call) => call === 'HNSCall')).toHaveLength(1);
    const later = example('overlay', { networkPolicies });
    const second = await node.add(later);
    expect(second.calls).not.toContain('HNSCall');
  });
});
