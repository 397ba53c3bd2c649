import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toCniError } from '../../src/cni/error.ts';
import { loadBalancerId, remoteEndpointId } from '../../src/model/identity.ts';
import { executeSteps } from '../../src/steps/execute.ts';
import { runRollbackStep } from '../../src/steps/rollback.ts';
import type { RollbackName, RollbackStep, Step, StepName } from '../../src/steps/step.ts';
import { ipamPlugin } from '../unit/commands/small-node.ts';
import type { SimulatedHost } from './host.ts';
import { network, pod, schemaVersion, startOverlayHost } from './overlay-host.ts';
import { stepTargets } from './step-targets.ts';

let host: SimulatedHost;
beforeEach(async () => {
  host = await startOverlayHost();
});
afterEach(() => host.hns.stop());

const namespace = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const absent = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const remote = remoteEndpointId(network, '100.1.2.3');
const remoteDocument = {
  Name: 'remote_100.1.2.3',
  HostComputeNetwork: network,
  Policies: [{ Type: 'ProviderAddress', Settings: { ProviderAddress: '10.0.0.5' } }],
  IpConfigurations: [{ IpAddress: '100.1.2.3' }],
  MacAddress: '02-11-64-01-02-03',
  Flags: 1,
  SchemaVersion: schemaVersion,
};
const balancer = loadBalancerId('dns');
const balancerDocument = (...endpoints: readonly string[]) => ({
  HostComputeEndpoints: endpoints,
  FrontendVIPs: ['10.96.0.10'],
  PortMappings: [{ Protocol: 17, InternalPort: 53, ExternalPort: 53 }],
  SchemaVersion: schemaVersion,
});

const rollBack = <Do extends RollbackName>(step: RollbackStep<Do>) =>
  runRollbackStep(step, stepTargets({ hcn: host.hcn }));
const ids = (kind: 'networks' | 'endpoints' | 'loadBalancers') => host.hns.dump()[kind].map(({ ID }) => ID);
const namespaces = () => host.hns.dump().namespaces.map(({ ID }) => ID);
const newNamespace = () =>
  host.hcn.createNamespace(namespace, { Type: 'Host', SchemaVersion: schemaVersion });
const attachPod = async () => {
  await newNamespace();
  await host.hcn.addEndpoint(namespace, pod);
};
const newRemote = () => host.hcn.createEndpoint(network, remote, remoteDocument);
const newBalancer = (...endpoints: readonly string[]) =>
  host.hcn.createLoadBalancer(balancer, balancerDocument(...endpoints));

describe('an unattached endpoint', () => {
  const deletion = (id: string) =>
    rollBack({ do: 'delete unattached endpoint', id, name: 'pod', mayAppear: false });

  test('is deleted', async () => {
    await deletion(pod);
    expect(ids('endpoints')).toEqual([]);
  });

  test('remains if another request has attached it', async () => {
    await attachPod();
    await expect(deletion(pod)).rejects.toThrow(`endpoint ${pod} is gone or may belong to another request`);
    expect(ids('endpoints')).toEqual([pod]);
  });
});

describe('a remote endpoint', () => {
  const deletions = [
    [
      'a step',
      () =>
        host.context.changes.apply({ do: 'delete remote endpoint', id: remote, previous: remoteDocument }),
    ],
    ['a rollback', () => rollBack({ do: 'delete new remote endpoint', id: remote, mayAppear: false })],
  ] as const;

  test.each(deletions)('is deleted by %s while no load balancer uses it', async (_, run) => {
    await newRemote();
    await newBalancer(pod);
    await run();
    expect(ids('endpoints')).toEqual([pod]);
  });

  test.each(deletions)('remains after %s while a load balancer uses it', async (_, run) => {
    await newRemote();
    await newBalancer(remote);
    await run();
    expect(ids('endpoints')).toEqual([pod, remote]);
  });

  test('is restored only if it is absent', async () => {
    const step = { do: 'restore remote endpoint', id: remote, document: remoteDocument } as const;
    await rollBack(step);
    expect(ids('endpoints')).toEqual([pod, remote]);
    expect(await host.calls(() => rollBack(step))).not.toContain('HcnCreateEndpoint');
  });
});

describe('a load balancer', () => {
  const step = { do: 'restore load balancer', id: balancer, document: balancerDocument(pod) } as const;

  test('is restored if it is absent', async () => {
    await rollBack(step);
    expect(host.hns.dump().loadBalancers).toMatchObject([{ ID: balancer, HostComputeEndpoints: [pod] }]);
  });

  test('is not touched if it exists: its connections would break', async () => {
    await newBalancer(pod);
    expect(await host.calls(() => rollBack(step))).not.toContain('HcnDeleteLoadBalancer');
  });
});

describe('a step that found nothing to delete is not undone by a rollback', () => {
  test.each<[string, Step, () => Promise<unknown>]>([
    [
      'a load balancer',
      { do: 'delete load balancer', id: balancer, previous: balancerDocument(pod) },
      async () => undefined,
    ],
    [
      'a remote endpoint',
      { do: 'delete remote endpoint', id: remote, previous: remoteDocument },
      async () => undefined,
    ],
  ])('%s', async (_, step, prepare) => {
    await prepare();
    const changes = executeSteps(stepTargets({ hcn: host.hcn }));
    const applied: string[] = [];
    const failing = changes.transaction(async () => {
      expect(await changes.apply(step)).toBe(false);
      await host.hcn.deleteLoadBalancer(balancer);
      await host.hcn.deleteEndpoint(remote);
      applied.push(step.do);
      throw new Error('a later step failed');
    });
    await expect(failing).rejects.toThrow('a later step failed');
    expect(applied).toEqual([step.do]);
    expect([...ids('endpoints'), ...ids('loadBalancers')]).toEqual([pod]);
  });
});

test.each<[string, (mayAppear: boolean) => Promise<unknown>]>([
  [
    `endpoint ${absent}`,
    (mayAppear) => rollBack({ do: 'delete unattached endpoint', id: absent, name: 'pod', mayAppear }),
  ],
  [
    `endpoint ${remote}`,
    (mayAppear) => rollBack({ do: 'delete new remote endpoint', id: remote, mayAppear }),
  ],
  [
    `load balancer ${balancer}`,
    (mayAppear) => rollBack({ do: 'delete new load balancer', id: balancer, mayAppear }),
  ],
])('%s that is absent is an error only if it may still appear', async (object, deletion) => {
  await deletion(false);
  await expect(deletion(true)).rejects.toThrow(`${object} may still appear`);
});

describe('a new namespace', () => {
  const step = { do: 'delete new namespace', id: namespace } as const;

  test('is deleted if nothing is in it', async () => {
    await newNamespace();
    await rollBack(step);
    expect(namespaces()).not.toContain(namespace);
  });

  test('remains while an endpoint is in it', async () => {
    await attachPod();
    await rollBack(step);
    expect(namespaces()).toContain(namespace);
  });
});

describe('the rollback after a creation without a response', () => {
  /** Assigns addresses, then loses the response to a step. Returns the error's details and the IPAM commands. */
  const rollBackAfter = async <Do extends StepName>(step: Step<Do>) => {
    const { plugin, runs } = ipamPlugin();
    const changes = executeSteps(stepTargets({ hcn: host.hcn, locateIpam: () => plugin }));
    const failing = changes.transaction(async () => {
      await changes.apply({ do: 'assign addresses', plugin: 'host-local' });
      host.hns.inject({ effect: { drop: 'before' } });
      await changes.apply(step);
    });
    const { details } = await failing.then(
      () => ({ details: 'no error' }),
      (error: unknown) => toCniError(error),
    );
    return { details, runs };
  };

  test('keeps the addresses of an endpoint that may still appear', async () => {
    const document = { Name: 'c0ffee', HostComputeNetwork: network, SchemaVersion: schemaVersion };
    expect(await rollBackAfter({ do: 'create endpoint', network, id: absent, document })).toEqual({
      details: expect.stringMatching(
        `rollback of the endpoint failed: endpoint ${absent} may still appear; the addresses stay assigned until the next DEL$`,
      ),
      runs: ['ADD'],
    });
  });
});
