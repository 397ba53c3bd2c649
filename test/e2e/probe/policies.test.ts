import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Finding, Report } from '../../../src/cli/probe/report.ts';
import { aclRows } from '../../../src/cli/probe/rows/acls.ts';
import { natRows } from '../../../src/cli/probe/rows/nat.ts';
import { policyRows } from '../../../src/cli/probe/rows/policies.ts';
import { returnedPolicyRows } from '../../../src/cli/probe/rows/returned-policies.ts';
import { type Node, startNode } from '../node.ts';
import { everything, noId, runProbe } from './run-probe.ts';

const policyRefused = 0x803b000d;

let node: Node;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.stop());

async function probe(id: string): Promise<Finding | undefined> {
  const { stdout } = await runProbe(node, [...everything, '--row', id, '-o', 'json']);
  const report: Report = JSON.parse(stdout);
  return report.rows[0];
}

const subjects = [...aclRows, ...natRows, ...policyRows, ...returnedPolicyRows];
const possible = subjects.filter(({ experiment }) => 'run' in experiment).map(({ id }) => id);

test.each(possible)('the claim of %s holds on the simulated service', async (id) => {
  expect(await probe(id)).toMatchObject({ id, verdict: 'holds' });
});

const policy = (Type: string, Settings: object) => ({ Type, Settings });
const acl = (Settings: object) => policy('ACL', Settings);
const acls = (member: string, ...values: readonly unknown[]) =>
  values.map((value) => acl({ [member]: value }));
const nat = (...Exceptions: readonly string[]) => policy('OutBoundNAT', { Exceptions });

/** The policies that queries return for the endpoints of an experiment, one after the other, and what it observes. */
const returns: readonly (readonly [id: string, observed: string, ...policies: readonly object[][]])[] = [
  ['returnedQOS', 'absent', [acl({})]],
  ['returnedQOS', 'changed', [policy('QOS', { MaximumOutgoingBandwidthInBytes: 1 })]],
  ['returnedL2Driver', 'as sent', [{ Type: 'L2DRIVER' }]],
  ['interfaceLuid', 'changed', [policy('InterfaceConstraint', { InterfaceLuid: 0 })]],
  ['firewallMembers', 'VmCreatorId', [policy('Firewall', { VmCreatorId: '' })], [policy('Firewall', {})]],
  ['firewallMembers', 'VmType', [policy('Firewall', {})], [policy('Firewall', { VmType: 'WSL' })]],
  ['firewallMembers', 'none', [], []],
  ['policyTypeCase', 'as sent', [policy('qos', {})]],
  ['policyTypeCase', 'changed', [policy('Qos', {})]],
  ['policyTypeCase', 'absent', []],
  ['policyValueCase', 'as sent', [acl({ Action: 'block' })]],
  ['policyValueCase', 'changed', [acl({ Action: 1 })]],
  ['policyValueCase', 'absent', [acl({})]],
  ['aclWithoutPriority', '100', [acl({ Priority: 100 })]],
  ['aclWithoutRuleType', 'Switch', [acl({ RuleType: 'Switch' })]],
  ['aclWithoutRuleType', 'ACL not returned', []],
  ['aclOrder', 'sorted', acls('Priority', 100, 200, 300), acls('Priority', 100, 200, 300)],
  ['aclOrder', 'reversed', acls('Priority', 200, 100, 300), acls('Priority', 100, 300, 200)],
  ['aclOrder', 'mixed', acls('Priority', 100, 200, 300), acls('Priority', 300, 200, 100)],
  ['aclTies', 'changed', acls('Action', 'Block'), acls('Action', 'Allow')],
  ['equalAcls', 'changed', acls('Action', 'Block')],
  ['spacesInLists', 'converted', [acl({ RemotePorts: '80,443' })]],
  ['spacesInLists', 'changed', [acl({ RemotePorts: '80' })]],
  ['mappedAddresses', 'converted', [acl({ RemoteAddresses: '198.19.0.9' })]],
  ['addedExceptions', 'added', [nat('10.0.0.0/8')], [nat('172.17.0.0/16')]],
  ['policiesWrittenBack', 'one', [nat('172.17.0.0/16')]],
  ['policiesWrittenBack', 'changed', [nat('172.17.0.0/16'), nat('172.18.0.0/16')]],
  ['hcsshimMembers', 'unsupported', [policy('L4Proxy', { OutboundNat: false })]],
  ['hcsshimMembers', 'supported', [policy('L4Proxy', { OutboundNat: true })]],
  ['unknownSettings', 'kept', [acl({ ProbeMember: 'kept' })]],
  ['unknownSettings', 'absent', []],
  ['hcsshimMembers', 'absent', [acl({})]],
  ['addedExceptions', 'absent', [nat()], []],
  ['addPolicyLater', 'ignored', [], []],
  ['policyUpdate', 'none', [policy('QOS', {})], acls('Priority', 100, 200)],
  ['policyUpdate', 'ignored', [policy('QOS', {})], acls('Priority', 100)],
];

describe('probe observes policies that HNS returns otherwise', () => {
  const cases = returns.map(([id, observed, ...endpoints]) => ({ id, observed, endpoints }));
  test.each(cases)('$id: $observed', async ({ id, observed, endpoints }) => {
    endpoints.forEach((Policies, index) => {
      const effect = { answer: JSON.stringify({ ID: noId, Policies }) };
      node.hns.inject({ function: 'HcnQueryEndpointProperties', ordinal: index + 1, effect });
    });
    expect(await probe(id)).toMatchObject({ id, observed });
  });
});

test('a difference names the members', async () => {
  const Policies = [policy('SDNRoute', { DestinationPrefix: '192.0.2.0/24', NeedEncap: true, Metric: 1 })];
  const effect = { answer: JSON.stringify({ ID: noId, Policies }) };
  node.hns.inject({ function: 'HcnQueryEndpointProperties', effect });
  expect(await probe('returnedSDNRoute')).toMatchObject({
    observed: 'changed',
    detail: 'NextHop: sent "198.19.0.9", returned nothing; Metric: sent nothing, returned 1',
  });
});

const refusable = ['aclWithoutPriority', 'aclTies', 'mappedAddresses', 'policyTypeCase', 'policyValueCase'];

test.each(refusable)('probe observes that HNS refuses what %s tries', async (id) => {
  node.hns.inject({ function: 'HcnCreateEndpoint', effect: { hresult: policyRefused } });
  expect(await probe(id)).toMatchObject({
    verdict: 'does not hold',
    observed: 'refused',
    detail: 'HCN_E_INVALID_POLICY',
  });
});

test.each(['addPolicyLater', 'policyUpdate'])(
  'probe observes the code with which HNS refuses the request of %s',
  async (id) => {
    node.hns.inject({ function: 'HcnModifyEndpoint', effect: { hresult: policyRefused } });
    expect(await probe(id)).toMatchObject({ verdict: 'does not hold', observed: 'HCN_E_INVALID_POLICY' });
  },
);

test.each([
  ['mixedExceptions', 'HNS refuses every OutBoundNAT policy: HCN_E_INVALID_POLICY'],
  ['aclOrder', 'HNS refuses every ACL policy: HCN_E_INVALID_POLICY'],
  [
    'firewallMembers',
    'HNS refuses every Firewall policy: VmCreatorId: HCN_E_INVALID_POLICY, VmType: HCN_E_INVALID_POLICY',
  ],
])('%s is not tried if HNS refuses the usual policy too', async (id, reason) => {
  const effect = { hresult: policyRefused };
  node.hns.inject({ function: 'HcnCreateEndpoint', ordinal: 'every', effect });
  expect(await probe(id)).toMatchObject({ verdict: 'not tried', reason });
});

test('a policy that HNS refuses is not tried', async () => {
  node.hns.inject({ function: 'HcnCreateEndpoint', effect: { hresult: policyRefused } });
  expect(await probe('returnedIov')).toMatchObject({
    verdict: 'not tried',
    reason: expect.stringContaining('creating an endpoint: HCN returned HCN_E_INVALID_POLICY'),
  });
});
