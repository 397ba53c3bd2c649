import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apply } from '../../src/commands/apply.ts';
import { newUndo } from '../../src/commands/undo.ts';
import { loadBalancerId, remoteEndpointId } from '../../src/model/identity.ts';
import type { Step } from '../../src/plan/steps.ts';
import type { SimulatedHost } from './host.ts';
import { network, pod, schemaVersion, startOverlayHost } from './overlay-host.ts';

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

const carryOut = (step: Step) => apply(step, host.hcn, newUndo());
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

describe('an unfinished endpoint', () => {
  const deletion = (id: string, mayAppear = false) =>
    carryOut({ do: 'delete unfinished endpoint', id, name: 'nobody', mayAppear });

  test('is deleted while it is in no namespace', async () => {
    await deletion(pod);
    expect(ids('endpoints')).toEqual([]);
  });

  test('stays once it is in one: another request has finished it', async () => {
    await attachPod();
    await deletion(pod);
    expect(ids('endpoints')).toEqual([pod]);
  });

  test('that is absent is no failure, unless it may still appear', async () => {
    await deletion(absent);
    await expect(deletion(absent, true)).rejects.toThrow(`endpoint ${absent} may still appear`);
  });
});

describe('an unused network', () => {
  const deletion = (hostEndpoint: string) =>
    carryOut({ do: 'delete unused network', id: network, name: 'cbr0', hostEndpoints: [hostEndpoint] });

  test('is deleted when it has no endpoint', async () => {
    await host.hcn.deleteEndpoint(pod);
    await deletion(absent);
    expect(ids('networks')).toEqual([]);
  });

  test("is deleted after the node's own endpoint", async () => {
    const calls = await host.calls(() => deletion(pod));
    expect(calls.slice(-2)).toEqual(['HcnDeleteEndpoint', 'HcnDeleteNetwork']);
    expect([ids('networks'), ids('endpoints')]).toEqual([[], []]);
  });

  test('stays while there is any other', async () => {
    await deletion(absent);
    expect([ids('networks'), ids('endpoints')]).toEqual([[network], [pod]]);
  });
});

describe('a remote endpoint', () => {
  const deletions = [
    { do: 'delete remote endpoint', id: remote, previous: remoteDocument },
    { do: 'delete unused remote endpoint', id: remote, mayAppear: false },
  ] as const;

  test.each(deletions)('goes with "$do" while no load balancer refers to it', async (step) => {
    await newRemote();
    await newBalancer(pod);
    await carryOut(step);
    expect(ids('endpoints')).toEqual([pod]);
  });

  test.each(deletions)('stays with "$do" while one does', async (step) => {
    await newRemote();
    await newBalancer(remote);
    await carryOut(step);
    expect(ids('endpoints')).toEqual([pod, remote]);
  });

  test('that is absent is no failure, unless it may still appear', async () => {
    await carryOut({ do: 'delete unused remote endpoint', id: remote, mayAppear: false });
    await expect(
      carryOut({ do: 'delete unused remote endpoint', id: remote, mayAppear: true }),
    ).rejects.toThrow(`endpoint ${remote} may still appear`);
  });

  test('is restored where it is absent, and left alone where it is not', async () => {
    const step = { do: 'restore remote endpoint', id: remote, document: remoteDocument } as const;
    await carryOut(step);
    expect(ids('endpoints')).toEqual([pod, remote]);
    expect(await host.calls(() => carryOut(step))).not.toContain('HcnCreateEndpoint');
  });
});

describe('a load balancer', () => {
  const step = { do: 'restore load balancer', id: balancer, document: balancerDocument(pod) } as const;

  test('is restored where it is absent', async () => {
    await carryOut(step);
    expect(host.hns.dump().loadBalancers).toMatchObject([{ ID: balancer, HostComputeEndpoints: [pod] }]);
  });

  test('is restored where it is another one', async () => {
    await newRemote();
    await newBalancer(remote);
    await carryOut(step);
    expect(host.hns.dump().loadBalancers).toMatchObject([{ ID: balancer, HostComputeEndpoints: [pod] }]);
  });

  test('is left alone where it is the same: its connections would break', async () => {
    await newBalancer(pod);
    expect(await host.calls(() => carryOut(step))).not.toContain('HcnDeleteLoadBalancer');
  });

  test('that is absent is no failure to delete, unless it may still appear', async () => {
    await carryOut({ do: 'delete unfinished load balancer', id: balancer, mayAppear: false });
    await expect(
      carryOut({ do: 'delete unfinished load balancer', id: balancer, mayAppear: true }),
    ).rejects.toThrow(`load balancer ${balancer} may still appear`);
  });
});

describe('an unused namespace', () => {
  const step = { do: 'delete unused namespace', id: namespace } as const;

  test('is deleted when nothing is in it', async () => {
    await newNamespace();
    await carryOut(step);
    expect(namespaces()).not.toContain(namespace);
  });

  test('stays while an endpoint is in it', async () => {
    await attachPod();
    await carryOut(step);
    expect(namespaces()).toContain(namespace);
  });
});

describe('what may still appear after a call without an answer', () => {
  const lost = async (step: Step) => {
    const undo = newUndo();
    let isGivenBack = false;
    undo.push('addresses', async () => {
      isGivenBack = true;
    });
    host.hns.inject({ effect: { drop: 'before' } });
    await expect(apply(step, host.hcn, undo)).rejects.toThrow();
    return { failures: await undo.unwind(), isGivenBack };
  };

  test('is an endpoint, which keeps its addresses taken', async () => {
    const document = { Name: 'c0ffee', HostComputeNetwork: network, SchemaVersion: schemaVersion };
    expect(await lost({ do: 'create endpoint', network, id: absent, document })).toEqual({
      failures: [
        `undoing the endpoint failed: endpoint ${absent} may still appear`,
        'the addresses stay taken until the next DEL',
      ],
      isGivenBack: false,
    });
  });

  test('is a load balancer, which has none', async () => {
    expect(await lost({ do: 'create load balancer', id: balancer, document: balancerDocument(pod) })).toEqual(
      {
        failures: [`undoing the load balancer failed: load balancer ${balancer} may still appear`],
        isGivenBack: true,
      },
    );
  });
});
