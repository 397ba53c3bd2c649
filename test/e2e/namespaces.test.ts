import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toCniError } from '../../src/cni/error.ts';
import {
  attachEndpoint,
  createNamespace,
  deleteNamespace,
  detachEndpoint,
} from '../../src/commands/namespaces.ts';
import type { SimulatedHost } from './host.ts';
import { network, pod, schemaVersion, startOverlayHost } from './overlay-host.ts';

const sandbox = '7cb720c0-0c39-4b8f-a1f7-3f4a2d9e6b01';
const other = '7cb720c0-0c39-4b8f-a1f7-3f4a2d9e6b02';
const second = 'fd6bec0f-7b88-4b61-b5af-70897ab0960c';

let host: SimulatedHost;
beforeEach(async () => {
  host = await startOverlayHost();
});
afterEach(() => host.hns.stop());

const namespaces = () => host.hns.dump().namespaces.filter(({ NamespaceId }) => NamespaceId !== 1);
const createSecond = () =>
  host.hcn.createEndpoint(network, second, {
    Name: 'second',
    HostComputeNetwork: network,
    SchemaVersion: schemaVersion,
  });

describe('a namespace', () => {
  test('is created, found and deleted', async () => {
    expect(await createNamespace(sandbox, host.context)).toBe(true);
    expect(namespaces()).toEqual([
      { ID: sandbox, NamespaceId: 0, NamespaceGuid: sandbox, Type: 'Host', SchemaVersion: schemaVersion },
    ]);
    expect(await host.hcn.findNamespaces()).toEqual([
      expect.objectContaining({ NamespaceId: 1, Type: 'HostDefault' }),
      { ID: sandbox, NamespaceId: 0, Type: 'Host', Resources: [], SchemaVersion: schemaVersion },
    ]);
    expect(await deleteNamespace(sandbox, host.context)).toBe(true);
    expect(namespaces()).toEqual([]);
  });

  test('that exists is not created again, and a missing one is deleted without error', async () => {
    await createNamespace(sandbox, host.context);
    await attachEndpoint(pod, sandbox, host.context);
    const before = namespaces();
    expect(await createNamespace(sandbox, host.context)).toBe(false);
    expect(namespaces()).toEqual(before);
    expect(await deleteNamespace(other, host.context)).toBe(false);
  });

  test('contains several endpoints, which are detached when it is deleted', async () => {
    await createSecond();
    await createNamespace(sandbox, host.context);
    expect(await attachEndpoint(pod, sandbox, host.context)).toBe(true);
    expect(await attachEndpoint(second, sandbox, host.context)).toBe(true);
    expect(namespaces()).toMatchObject([
      {
        Resources: [
          { Type: 'Endpoint', Data: { Id: pod } },
          { Type: 'Endpoint', Data: { Id: second } },
        ],
      },
    ]);
    expect(await detachEndpoint({ ID: pod, Name: 'pod' }, sandbox, host.context)).toBe(true);
    expect(await detachEndpoint({ ID: pod, Name: 'pod' }, sandbox, host.context)).toBe(false);
    expect(namespaces()).toMatchObject([{ Resources: [{ Data: { Id: second } }] }]);
    expect(await deleteNamespace(sandbox, host.context)).toBe(true);
    expect(host.hns.dump().endpoints).toHaveLength(2);
  });
});

describe('an endpoint', () => {
  beforeEach(async () => {
    await createNamespace(sandbox, host.context);
    await createNamespace(other, host.context);
  });

  test('that is in the namespace already stays there without a change', async () => {
    await attachEndpoint(pod, sandbox, host.context);
    const calls = await host.calls(async () =>
      expect(await attachEndpoint(pod, sandbox, host.context)).toBe(false),
    );
    expect(calls).toEqual(['HcnOpenNamespace', 'HcnOpenEndpoint', 'HcnQueryEndpointProperties']);
  });

  test('that is in another namespace is refused with its name', async () => {
    await attachEndpoint(pod, other, host.context);
    await expect(attachEndpoint(pod, sandbox, host.context)).rejects.toMatchObject({
      code: 102,
      message: `endpoint "pod" (${pod}) is in namespace ${other}, not in ${sandbox}`,
      details: 'win-hcn endpoint detach removes it from there',
    });
    expect(await detachEndpoint({ ID: pod, Name: 'pod' }, sandbox, host.context)).toBe(false);
    expect(host.hns.dump().endpoints).toMatchObject([{ HostComputeNamespace: other }]);
  });

  test.each([
    ['the same namespace is attached', sandbox],
    ['another namespace is refused with its name', other],
  ])('that another request adds at the same time to %s', async (_, namespace) => {
    const answer = JSON.stringify(host.hns.dump().endpoints[0]);
    await host.hcn.addEndpoint(namespace, pod);
    host.hns.inject({ function: 'HcnQueryEndpointProperties', effect: { answer } });
    const attached = attachEndpoint(pod, sandbox, host.context);
    if (namespace === sandbox) expect(await attached).toBe(false);
    else await expect(attached).rejects.toMatchObject({ code: 102, message: expect.stringContaining(other) });
    expect(host.hns.dump().endpoints).toMatchObject([{ HostComputeNamespace: namespace }]);
  });

  test.each([
    ['an endpoint', second, sandbox, { code: 102, message: `HCN has no endpoint ${second}` }],
    ['a namespace', pod, second, { code: 3, message: `HCN has no namespace ${second}` }],
  ])('cannot be attached without %s', async (_, endpoint, namespace, error) => {
    await expect(attachEndpoint(endpoint, namespace, host.context)).rejects.toMatchObject(error);
  });
});

describe('a namespace with a running container [O]', () => {
  beforeEach(async () => {
    await createNamespace(sandbox, host.context);
    await attachEndpoint(pod, sandbox, host.context);
    host.hns.attachContainer(sandbox, '291cd4892b99');
  });
  const error = {
    code: 100,
    message: `containers run in namespace ${sandbox}, stop them first: 291cd4892b99`,
    details: expect.stringContaining('HCN_E_REQUEST_UNSUPPORTED (0x803b0015)'),
  };

  test('cannot be deleted: the error names the container', async () => {
    await expect(deleteNamespace(sandbox, host.context)).rejects.toMatchObject(error);
    expect(namespaces()).toHaveLength(1);
  });
});

/** Effects on the k-th call to HCN, with the error code. */
const effects = [
  ['fails', { hresult: 0x80004005 }, 100],
  ['is lost on the way there', { drop: 'before' }, 11],
  ['is lost on the way back', { drop: 'after' }, 11],
  ['hangs', { hang: true }, 11],
] as const;

describe.each(effects)('when the k-th call %s', (_, effect, code) => {
  test('no namespace is created', async () => {
    const calls = 2;
    for (let k = 1; k <= calls; k += 1) {
      const before = await hit(k, () => createNamespace(second, host.context));
      expect(host.hns.dump().namespaces).toEqual(before.namespaces);
      expect(await createNamespace(second, host.context)).toBe(true);
    }
  });

  test('a retry attaches an endpoint, whether the first attempt did or not', async () => {
    const calls = 4;
    for (let k = 1; k <= calls; k += 1) {
      await hit(k, () => attachEndpoint(pod, sandbox, host.context));
      await attachEndpoint(pod, sandbox, host.context);
      expect(host.hns.dump().endpoints).toMatchObject([{ ID: pod, HostComputeNamespace: sandbox }]);
    }
  });

  /** Applies an effect to the k-th call of some work on a new node. Returns the state before. */
  async function hit(k: number, work: () => Promise<boolean>) {
    await host.hns.stop();
    host = await startOverlayHost();
    await createNamespace(sandbox, host.context);
    const before = host.hns.dump();
    host.hns.inject({ ordinal: k, effect });
    const error = await work().catch(toCniError);
    expect(error, `call ${k}`).toMatchObject({ code });
    host.hns.clearFaults();
    return before;
  }
});
