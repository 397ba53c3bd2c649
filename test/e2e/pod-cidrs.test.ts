import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { fillConflist, httpsGet, readPodCidrs } from '../../src/cli/install/pod-cidrs.ts';
import { newSession } from '../../src/cli/terminal/session.ts';
import { terminal } from '../../src/cli/terminal/terminal.ts';
import { system } from '../../src/system.ts';
import { fileError } from './cli/run-cli.ts';
import { newCertificate, opensslMissing, type Server, startApiServer } from './kubernetes-api.ts';

const folder = 'C:\\hpc/var/run/secrets/kubernetes.io/serviceaccount';
const address = 'The address of a Service may not work before kube-proxy runs: see deploy/README.md';

describe.skipIf(opensslMissing !== undefined)('the PodCIDRs of a conflist with placeholders', () => {
  const own = opensslMissing === undefined ? newCertificate('IP:127.0.0.1') : { key: '', cert: '' };
  let server: Server | undefined;
  afterEach(() => server?.stop());

  const answer =
    (body: object, status = 200): RequestListener =>
    ({ url, headers: { authorization } }, response) => {
      const isRight = url === '/api/v1/nodes/win-1' && authorization === 'Bearer secret';
      response.writeHead(isRight ? status : 404).end(JSON.stringify(body));
    };
  const nodeOf = (spec: object) => answer({ kind: 'Node', spec });

  /** Returns the filled conflist or why it is not filled. `files`: those of the pod, below its root. */
  async function fill(
    respond: RequestListener,
    {
      environment = {},
      files = { [`${folder}/token`]: 'secret\n', [`${folder}/ca.crt`]: own.cert },
      certificate = own,
    }: {
      environment?: Record<string, string>;
      files?: Record<string, string>;
      certificate?: { key: string; cert: string };
    } = {},
  ): Promise<unknown> {
    server = await startApiServer(certificate, respond);
    const { port } = new URL(server.url);
    const inPod = {
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: port,
      CONTAINER_SANDBOX_MOUNT_POINT: 'C:\\hpc\\',
      ...environment,
    };
    const readFile = (path: string) => {
      const text = files[path];
      if (text === undefined) throw fileError('ENOENT', 'open');
      return new TextEncoder().encode(text);
    };
    const session = newSession({ ...system, environment: inPod }, { ...terminal, readFile }, () => undefined);
    const bytes = new TextEncoder().encode('"{{.PodCIDR}}"');
    return fillConflist(bytes, 'net.conflist', { node: 'win-1' }, session).then(
      (result) => new TextDecoder().decode(result),
      (error: unknown) =>
        error instanceof Error ? error.message.replace(`https://127.0.0.1:${port}`, 'SERVER') : error,
    );
  }

  test.each([
    [{ podCIDR: '10.244.3.0/24' }],
    [{ podCIDR: 'ignored', podCIDRs: ['10.244.3.0/24', 'fd00:10:244:3::/64'] }],
  ])('are those of the node, read with the token: %j', async (spec) => {
    expect(await fill(nodeOf(spec))).toBe('"10.244.3.0/24"');
  });

  test('need a HostProcess pod', async () => {
    expect(await fill(nodeOf({}), { environment: { CONTAINER_SANDBOX_MOUNT_POINT: '' } })).toBe(
      '--node works only in a HostProcess pod, such as that of deploy/base',
    );
  });

  test.each([
    [
      nodeOf({}),
      'node win-1 has no PodCIDR yet. If it stays so, run kube-controller-manager with --allocate-node-cidrs and --cluster-cidr, or ' +
        'write the subnet into the conflist instead of placeholders',
    ],
    [
      nodeOf({ podCIDR: '", "type": "evil' }),
      'node win-1 has the invalid PodCIDR "\\", \\"type\\": \\"evil"',
    ],
    [
      answer({ message: 'Unauthorized' }, 401),
      'cannot read node win-1 from SERVER: status 401 (Unauthorized). The service account needs get on nodes, as in deploy/base/rbac.yaml',
    ],
    [
      answer({ message: { evil: true } }, 403),
      'cannot read node win-1 from SERVER: status 403 (no message). The service account needs get on nodes, as in deploy/base/rbac.yaml',
    ],
    [
      answer({ message: 'x'.repeat(1_000_000) }, 500),
      `cannot read node win-1 from SERVER: status 500 (${'x'.repeat(197)}...). The service account needs get on nodes, as in deploy/base/rbac.yaml`,
    ],
    [
      nodeOf({ podCIDR: '0.0.0.0/0' }),
      'node win-1 has PodCIDR 0.0.0.0/0, which overlaps the unspecified addresses 0.0.0.0/8',
    ],
    [
      ((_, response) => {
        const write = () => {
          if (!response.destroyed) response.write(Buffer.alloc(1024 * 1024, ' '), write);
        };
        write();
      }) satisfies RequestListener,
      `cannot read node win-1 from SERVER: the response has more than 8388608 bytes. ${address}`,
    ],
  ])('are an error with the fix without a usable answer', async (respond, message) => {
    expect(await fill(respond)).toBe(message);
  });

  test('send no token to a server with the certificate of another CA', async () => {
    let requests = 0;
    const respond: RequestListener = (_, response) => {
      requests += 1;
      response.end('{}');
    };
    const certificate = newCertificate('IP:127.0.0.1');
    expect(await fill(respond, { certificate })).toMatch(
      /^cannot read node win-1 from SERVER: .*certificate/,
    );
    expect(requests).toBe(0);
  });

  test('fail if the server does not respond in time', async () => {
    server = await startApiServer(own, () => undefined);
    const access = { server: server.url, token: 'secret', ca: own.cert };
    await expect(readPodCidrs('win-1', access, (request) => httpsGet(request, 0.3))).rejects.toThrow(
      /^cannot read node win-1 from https:.+: The operation was aborted/,
    );
  });
});
