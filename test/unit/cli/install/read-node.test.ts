import { describe, expect, test } from 'vitest';
import { readPodCidrs } from '../../../../src/cli/install/read-node.ts';

const access = { server: 'https://10.0.0.10:6443', token: 'secret', ca: 'PEM' };

/** Reads node win-1 from an API server with this response. */
function read(status: number, body: unknown): Promise<readonly string[]> {
  return readPodCidrs('win-1', access, async () => ({ status, body: JSON.stringify(body) }));
}

function readSpec(spec: object): Promise<readonly string[]> {
  return read(200, { kind: 'Node', spec });
}

describe('the PodCIDRs of a node', () => {
  test('are requested with the token, and only from the server and node that were given', async () => {
    const requests: unknown[] = [];
    await readPodCidrs('win-1', access, async (...request) => {
      requests.push(request);
      return { status: 200, body: JSON.stringify({ kind: 'Node', spec: { podCIDR: '10.244.3.0/24' } }) };
    });
    const url = 'https://10.0.0.10:6443/api/v1/nodes/win-1';
    expect(requests).toEqual([[{ url, token: 'secret', ca: 'PEM' }, 10]]);
  });

  test('are those of both families in their order, or the only one', async () => {
    const podCIDRs = ['10.244.3.0/24', 'fd00:10:244:3::/64'];
    expect(await readSpec({ podCIDR: '10.244.3.0/24', podCIDRs })).toEqual(podCIDRs);
    expect(await readSpec({ podCIDR: '10.244.3.0/24' })).toEqual(['10.244.3.0/24']);
  });
});

describe('an answer without PodCIDRs is an error with the fix', () => {
  const refused = (message: string) => ({ kind: 'Status', message });

  test.each([
    [
      200,
      { kind: 'Node', spec: {} },
      'node win-1 has no PodCIDR yet. If it stays so, run kube-controller-manager with --allocate-node-cidrs and --cluster-cidr, or ' +
        'write the subnet into the conflist instead of placeholders',
      true,
    ],
    [
      200,
      { kind: 'Node', spec: { podCIDR: '", "type": "evil' } },
      'node win-1 has the invalid PodCIDR "\\", \\"type\\": \\"evil"',
      false,
    ],
    [
      200,
      { hello: 'world' },
      'https://10.0.0.10:6443 did not return a node for win-1. Check that --api-server or KUBERNETES_SERVICE_HOST is a Kubernetes API ' +
        'server',
      false,
    ],
    [
      401,
      refused('Unauthorized'),
      'cannot read node win-1: https://10.0.0.10:6443 returned status 401 (Unauthorized). The token is not valid: restart the pod, and ' +
        'check that its service account still exists',
      false,
    ],
    [
      403,
      refused('nodes "win-1" is forbidden'),
      'cannot read node win-1: https://10.0.0.10:6443 returned status 403 (nodes "win-1" is forbidden). The service account needs get ' +
        'on nodes: apply deploy/base/rbac.yaml',
      false,
    ],
    [
      404,
      refused('nodes "win-1" not found'),
      'cannot read node win-1: https://10.0.0.10:6443 returned status 404 (nodes "win-1" not found). Pass the name that kubectl get ' +
        'nodes lists, as spec.nodeName in the pod',
      false,
    ],
    [
      500,
      'no object',
      'cannot read node win-1: https://10.0.0.10:6443 returned status 500. Retry later',
      true,
    ],
    [
      302,
      {},
      'cannot read node win-1: https://10.0.0.10:6443 returned status 302. Check that https://10.0.0.10:6443 is a Kubernetes API server',
      false,
    ],
  ])('%i %j', async (status, body, message, isTemporary) => {
    await expect(read(status, body)).rejects.toMatchObject({ message, isTemporary });
  });
});
