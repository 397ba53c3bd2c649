import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fillConflist, type NodeFlags } from '../../src/cli/install/node-conflist.ts';
import { newSession } from '../../src/cli/terminal/session.ts';
import { terminal } from '../../src/cli/terminal/terminal.ts';
import { system } from '../../src/system.ts';
import { fileError } from './cli/run-cli.ts';
import { newCertificate, opensslMissing, type Server, startApiServer } from './kubernetes-api.ts';

describe.skipIf(opensslMissing !== undefined)('a conflist with placeholders', () => {
  const certificate = opensslMissing === undefined ? newCertificate('IP:127.0.0.1') : { key: '', cert: '' };
  const folder = '/var/run/secrets/kubernetes.io/serviceaccount';
  let server: Server;
  let nodes: object[] = [];
  let environment: Record<string, string> = {};
  let files: Record<string, string> = {};
  beforeEach(async () => {
    nodes = [{ podCIDR: '10.244.3.0/24' }];
    server = await startApiServer(certificate, ({ headers }, response) => {
      const isAllowed = headers.authorization === 'Bearer secret';
      const spec = nodes.length > 1 ? nodes.shift() : nodes[0];
      response.writeHead(isAllowed ? 200 : 401).end(JSON.stringify({ kind: 'Node', spec }));
    });
    const port = server.url.split(':').at(-1) ?? '';
    environment = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: port };
    files = { [`${folder}/token`]: 'secret\n', [`${folder}/ca.crt`]: certificate.cert };
  });
  afterEach(() => server.stop());

  /** Fills a conflist; returns what it became or why not, what was printed, and how long it paused. */
  async function fill(flags: NodeFlags = { node: 'win-1' }, conflist = '"{{.PodCIDR}}"', windows = false) {
    let stderr = '';
    let paused = 0;
    const outside = {
      ...system,
      environment,
      windows,
      now: () => paused * 1000,
      writeStderr: (text: string) => {
        stderr += text;
      },
    };
    const readFile = (path: string) => {
      const text = files[path];
      if (text === undefined) throw fileError('ENOENT', 'open');
      return new TextEncoder().encode(text);
    };
    const pause = async (seconds: number) => {
      paused += seconds;
    };
    const session = newSession(outside, { ...terminal, readFile, pause }, () => undefined);
    const bytes = new TextEncoder().encode(conflist);
    const filled = await fillConflist(bytes, 'net.conflist', flags, 60, session).then(
      (result) => new TextDecoder().decode(result),
      (error: unknown) => (error instanceof Error ? error.message.replace(server.url, 'SERVER') : error),
    );
    return { filled, stderr, paused };
  }

  test('is filled with the PodCIDR of the node, as the service account of the pod', async () => {
    expect(await fill()).toEqual({ filled: '"10.244.3.0/24"', stderr: '', paused: 0 });
  });

  test('is filled if containerd 1.6 mounts the service account below the image', async () => {
    environment['CONTAINER_SANDBOX_MOUNT_POINT'] = 'C:\\C\\0e12d1\\';
    const below = 'C:\\C\\0e12d1\\var\\run\\secrets\\kubernetes.io\\serviceaccount';
    files = { [`${below}\\token`]: 'secret', [`${below}\\ca.crt`]: certificate.cert };
    expect(await fill(undefined, undefined, true)).toMatchObject({ filled: '"10.244.3.0/24"' });
  });

  test('waits until the node has a PodCIDR', async () => {
    nodes = [{}, {}, { podCIDR: '10.244.3.0/24' }];
    const { filled, stderr, paused } = await fill();
    expect({ filled, paused }).toEqual({ filled: '"10.244.3.0/24"', paused: 4 });
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^win-hcn: node win-1 has no PodCIDR yet\. .*; retrying for 60 s$/),
      '',
    ]);
  });

  test('fails after a minute without a PodCIDR', async () => {
    nodes = [{}];
    expect(await fill()).toMatchObject({
      filled: expect.stringMatching(/^node win-1 has no PodCIDR yet\. .* \(retried for 60 s\)$/),
      paused: 60,
    });
  });

  test('fails at once if the token is not valid', async () => {
    files[`${folder}/token`] = 'expired';
    expect(await fill()).toEqual({
      filled:
        'cannot read node win-1: SERVER returned status 401. The token is not valid: restart the pod, and check that its service ' +
        'account still exists',
      stderr: '',
      paused: 0,
    });
  });

  test('fails without a service account', async () => {
    files = {};
    expect(await fill()).toMatchObject({
      filled:
        "--node needs the pod's service account, but /var/run/secrets/kubernetes.io/serviceaccount/token does not exist. Set " +
        'serviceAccountName and automountServiceAccountToken: true in the pod, as in deploy/base',
    });
    files = { [`${folder}/token`]: '' };
    expect(await fill()).toMatchObject({ filled: `${folder}/token is empty: restart the pod` });
    files = { [`${folder}/token`]: 'secret', [`${folder}/ca.crt`]: '\n' };
    expect(await fill()).toMatchObject({
      filled: `${folder}/ca.crt is empty: check ConfigMap kube-root-ca.crt in the pod's namespace`,
    });
  });

  test('fails outside of a pod without --api-server', async () => {
    environment = {};
    expect(await fill()).toMatchObject({
      filled:
        '--node needs the address of the Kubernetes API server, but KUBERNETES_SERVICE_HOST is not set. Outside of a pod, add ' +
        '--api-server https://HOST:6443',
    });
  });
});
