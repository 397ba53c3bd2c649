import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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
      details: 'win-hcn debug endpoint detach removes it from there',
    });
    expect(await detachEndpoint({ ID: pod, Name: 'pod' }, sandbox, host.context)).toBe(false);
    expect(host.hns.dump().endpoints).toMatchObject([{ HostComputeNamespace: other }]);
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
