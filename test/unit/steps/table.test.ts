import { describe, expect, test } from 'vitest';
import { HcnError } from '../../../src/hcn/errors.ts';
import type { RollbackStep, Step } from '../../../src/steps/step.ts';
import { inverseOf, ipamPluginOf, runStep, titleOf } from '../../../src/steps/table.ts';
import {
  addresses,
  attachment,
  endpointDocument,
  id,
  namespace,
  network,
  ofNetwork,
  policies,
  policy,
  recordingTargets,
  route,
  SchemaVersion,
  vips,
} from './recording-targets.ts';

interface Row {
  readonly step: Step;
  readonly title: string;
  /** After success; with `mayAppear` true after an unknown outcome, if the inverse has it. */
  readonly inverse?: RollbackStep;
}

const rows: readonly Row[] = [
  {
    step: { do: 'add remote subnet', ...ofNetwork, policy },
    title: 'add remote subnet 10.244.2.0/24 (10.0.0.5, 00-15-5D-0A-0B-0C) to network "cbr0"',
    inverse: { do: 'remove new remote subnet', ...ofNetwork, policy, mayAppear: false },
  },
  {
    step: { do: 'remove remote subnet', ...ofNetwork, policy },
    title: 'remove remote subnet 10.244.2.0/24 (10.0.0.5, 00-15-5D-0A-0B-0C) from network "cbr0"',
    inverse: { do: 'restore remote subnet', ...ofNetwork, policy },
  },
  {
    step: { do: 'delete unused network', ...ofNetwork, hostEndpoints: [id, namespace] },
    title: `delete network "cbr0" (${network}) and its host endpoint (${id}, ${namespace})`,
  },
  {
    step: { do: 'create endpoint', id, document: endpointDocument, network },
    title: `create endpoint "pod" (${id})`,
    inverse: { do: 'delete unattached endpoint', id, name: 'pod', mayAppear: false },
  },
  {
    step: { do: 'add endpoint policies', id, name: 'pod', policies },
    title: 'add ACL, PortMapping to endpoint "pod"',
  },
  {
    step: { do: 'attach endpoint', ...attachment, addresses },
    title: `attach endpoint "pod" to namespace ${namespace}`,
    inverse: { do: 'delete attached endpoint', ...attachment, addresses },
  },
  {
    step: { do: 'detach endpoint', ...attachment },
    title: `detach endpoint "pod" (${id}) from namespace ${namespace}`,
  },
  {
    step: { do: 'delete load balancer', id, previous: vips() },
    title: `delete load balancer ${id} for the addresses of the node`,
    inverse: { do: 'restore load balancer', id, document: vips() },
  },
  {
    step: { do: 'create namespace', id: namespace, document: { Type: 'Host', SchemaVersion } },
    title: `create namespace ${namespace}`,
    inverse: { do: 'delete new namespace', id: namespace },
  },
  {
    step: { do: 'assign addresses', plugin: 'host-local' },
    title: 'assign addresses with IPAM plugin host-local',
    inverse: { do: 'release addresses', plugin: 'host-local' },
  },
  {
    step: { do: 'release unused addresses', plugin: 'host-local', remaining: [] },
    title: 'release the addresses of invalid attachments with IPAM plugin host-local',
  },
  {
    step: { do: 'create route', route },
    title: 'create the route to 10.244.2.0/24 through 10.0.0.5 on interface 7',
    inverse: { do: 'delete route', route },
  },
  {
    step: { do: 'delete route', route },
    title: 'delete the route to 10.244.2.0/24 through 10.0.0.5 on interface 7',
    inverse: { do: 'restore route', route },
  },
];

describe.each(rows)('the step to $title', ({ step, title, inverse }) => {
  test('has this title and its inverse', () => {
    expect(titleOf(step)).toBe(title);
    expect(inverseOf(step, 'done')).toEqual(inverse);
    const unknown =
      inverse !== undefined && 'mayAppear' in inverse ? { ...inverse, mayAppear: true } : inverse;
    expect(inverseOf(step, 'unknown')).toEqual(unknown);
  });
});

test('a step of an IPAM plugin is an internal error without one', () => {
  const targets = { ...recordingTargets().targets, locateIpam: () => undefined };
  expect(() => ipamPluginOf(targets)).toThrow(new Error('the configuration has no IPAM plugin'));
});

describe('a remote subnet that is to be removed', () => {
  const returned = { ...policy, Type: 'REMOTESUBNETROUTE' };
  const another = { ...policy, Settings: { ...policy.Settings, DestinationPrefix: '10.244.3.0/24' } };
  const refused = new HcnError('removing', 0x803b0008, '');
  const broken = new TypeError('broken');

  test.each<readonly [string, Error | undefined, readonly object[], boolean | Error]>([
    ['is removed', undefined, [], true],
    ['is gone although HNS refuses', refused, [another], false],
    ['stays if HNS refuses and still has it', refused, [another, returned], refused],
    ['stays if the call fails internally', broken, [], broken],
  ])('%s', async (_, failure, Policies, expected) => {
    const found = { removeNetworkPolicies: failure, findNetworkById: { ID: network, Policies } };
    const step = { do: 'remove remote subnet', ...ofNetwork, policy } as const;
    const removing = runStep(step, recordingTargets(found).targets);
    expect(await removing.catch((error: unknown) => error)).toBe(expected);
  });
});
