import { describe, expect, test } from 'vitest';
import { refuseOtherAgent } from '../../../../src/cli/network/sync-goal.ts';
import {
  changeLines,
  countChanges,
  isIncomplete,
  remainingText,
  remarkLines,
  reportOf,
  type SyncReport,
} from '../../../../src/cli/network/sync-report.ts';
import type { SubnetChange } from '../../../../src/commands/sync-remote-subnets.ts';
import type { ObservedNetwork } from '../../../../src/hcn/documents.ts';
import { networkId } from '../../../../src/model/identity.ts';
import type { NodeRoute } from '../../../../src/net/node-route.ts';
import type { Step } from '../../../../src/steps/step.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const network = (Name: string, changes: Partial<ObservedNetwork> = {}): ObservedNetwork => ({
  ID: 'a7a2c4b0-0000-4000-8000-000000000000',
  Name,
  Type: 'Overlay',
  SchemaVersion,
  ...changes,
});
const remote = (DistributedRouterMacAddress: string | undefined) => ({
  Type: 'RemoteSubnetRoute',
  Settings: { DestinationPrefix: '10.244.2.0/24', ProviderAddress: '10.0.0.2', DistributedRouterMacAddress },
});

describe('a network whose remote subnets another program manages is refused', () => {
  const refusal = (given: ObservedNetwork) => {
    try {
      return refuseOtherAgent(given);
    } catch (error) {
      return String(error);
    }
  };

  test.each([
    ['FLANNEL.4096', 'flanneld'],
    ['Calico', "Calico's agent"],
    ['calico-vxlan', "Calico's agent"],
    ['OVNKubernetesHybridOverlayNetwork', 'the hybrid overlay of OVN-Kubernetes'],
    ['BaseOVNKubernetesHybridOverlayNetwork', 'the hybrid overlay of OVN-Kubernetes'],
  ])('by name: %s', (name, agent) => {
    expect(refusal(network(name))).toContain(
      `is not changed: ${agent} manages its remote subnets, as its name`,
    );
  });

  test.each(['flannel', 'my-flannel.4096', 'flannel.4096x', 'my-calico', 'xovnkubernetes', 'vxlan0'])(
    'not by name %s',
    (name) => {
      expect(refusal(network(name))).toBeUndefined();
    },
  );

  test.each(['00:15:5d:00:00:02', '00-15-5d-00-00-02', '00-15-5D-00-00', '00-15-5D-00-00-02-03', undefined])(
    'by MAC address %s',
    (mac) => {
      const Policies = [remote('00-15-5D-00-00-01'), remote(mac)];
      expect(refusal(network('vxlan0', { Policies }))).toContain(
        `another program manages its remote subnets, as MAC address ${mac} of 10.244.2.0/24 shows: win-hcn writes 00-15-5D-0A-0B-0C`,
      );
    },
  );

  test('not if all MAC addresses have the form of win-hcn, on its own network, or on another type', () => {
    const Policies = [remote('00:15:5d:00:00:02')];
    expect([
      refusal(network('vxlan0', { Policies: [remote('00-15-5D-00-00-02')] })),
      refusal(network('vxlan0', { Policies, ID: networkId('vxlan0') })),
      refusal(network('vxlan0', { Policies, Type: 'L2Bridge' })),
    ]).toEqual([undefined, undefined, undefined]);
  });
});

describe('the report of a sync', () => {
  const step: Step = { do: 'delete unused network', id: 'a', name: 'vxlan0', hostEndpoints: [] };
  const change = (subnet: string, changes: Partial<SubnetChange>): SubnetChange => ({
    subnet,
    from: [],
    to: undefined,
    steps: [step],
    conflicts: [],
    ...changes,
  });
  const at = (subnet: string, via: string | undefined) => ({ subnet, via });
  const route: NodeRoute = {
    prefix: '10.244.6.0/24',
    nextHop: '10.0.0.99',
    interfaceIndex: 5,
    metric: 256,
    protocol: 3,
  };
  const changes = [
    change('10.244.2.0/24', { to: at('10.244.2.0/24', '10.0.0.2') }),
    change('10.244.3.0/24', {
      from: [at('10.244.3.0/24', '10.0.0.9'), at('10.244.3.0/24', undefined)],
      to: at('10.244.3.0/24', '10.0.0.3'),
    }),
    change('10.244.4.0/24', { from: [at('10.244.4.0/24', '10.0.0.4'), at('10.244.4.0/24', undefined)] }),
    change('10.244.6.0/24', { to: at('10.244.6.0/24', '10.0.0.6'), steps: [], conflicts: [route] }),
  ];
  const planned = {
    state: { network: network('vxlan0'), adapters: [], table: undefined },
    goal: {
      wanted: [],
      keeps: () => false,
      holder: () => undefined,
      isUnconnected: false,
      skipped: [{ name: 'win-7', reason: 'has no pod subnet yet', holds: { subnets: [], addresses: [] } }],
      warnings: ['the list may be of another cluster'],
    },
    changes,
    kept: [{ ...at('10.244.8.0/24', '10.0.0.8'), reason: 'it may belong to skipped node "win-8"' }],
  };
  const report = reportOf(planned, true, [change('10.244.2.0/24', {}), change('10.244.3.0/24', {})]);

  test('has what changed, what stays and why', () => {
    expect(report).toEqual({
      network: { name: 'vxlan0', id: 'a7a2c4b0-0000-4000-8000-000000000000', type: 'Overlay' },
      applied: true,
      added: [{ subnet: '10.244.2.0/24', via: '10.0.0.2' }],
      changed: [{ subnet: '10.244.3.0/24', via: '10.0.0.3', was: ['10.0.0.9', 'unknown'] }],
      removed: [
        { subnet: '10.244.4.0/24', via: '10.0.0.4' },
        { subnet: '10.244.4.0/24', via: undefined },
      ],
      kept: [{ subnet: '10.244.8.0/24', via: '10.0.0.8', reason: 'it may belong to skipped node "win-8"' }],
      skipped: [{ node: 'win-7', reason: 'has no pod subnet yet' }],
      conflicts: [{ subnet: '10.244.6.0/24', via: '10.0.0.6', nextHop: '10.0.0.99' }],
      remaining: ['10.244.2.0/24', '10.244.3.0/24'],
      unconnected: false,
      warnings: ['the list may be of another cluster'],
    });
  });

  test('says so in lines', () => {
    expect([
      ...changeLines(report),
      ...remarkLines(report),
      remainingText(report),
      countChanges(report),
    ]).toEqual([
      '- 10.244.4.0/24 via 10.0.0.4',
      '- 10.244.4.0/24',
      '~ 10.244.3.0/24 via 10.0.0.3 (was 10.0.0.9, unknown)',
      '+ 10.244.2.0/24 via 10.0.0.2',
      'the list may be of another cluster',
      'node "win-7" is skipped: it has no pod subnet yet',
      '10.244.8.0/24 via 10.0.0.8 is kept: it may belong to skipped node "win-8"',
      '10.244.6.0/24 is not changed: another program has a route to it through 10.0.0.99, expected 10.0.0.6',
      'network "vxlan0" differs again after the sync: 10.244.2.0/24, 10.244.3.0/24. Another program changes its remote subnets at the ' +
        'same time, or HNS accepted changes without effect.',
      '1 added, 1 changed, 2 removed',
    ]);
  });

  const complete: SyncReport = {
    ...report,
    added: [],
    changed: [],
    removed: [],
    conflicts: [],
    remaining: [],
  };
  test.each<[string, Partial<SyncReport>, boolean]>([
    ['nothing to change', {}, false],
    ['applied changes', { ...report, conflicts: [], remaining: [] }, false],
    ['an addition that is not applied', { applied: false, added: report.added }, true],
    ['a change that is not applied', { applied: false, changed: report.changed }, true],
    ['a removal that is not applied', { applied: false, removed: report.removed }, true],
    ["another program's route", { conflicts: report.conflicts }, true],
    ['no remote subnet, because all nodes are skipped', { unconnected: true }, true],
    ['a subnet that differs again', { remaining: report.remaining }, true],
  ])('with %s: is incomplete is %s', (_, some, expected) => {
    expect(isIncomplete({ ...complete, ...some })).toBe(expected);
  });
});
