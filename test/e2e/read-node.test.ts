import type { RequestListener } from 'node:http';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { httpsGet } from '../../src/cli/install/https-get.ts';
import { NodeError, readPodCidrs } from '../../src/cli/install/read-node.ts';
import { newCertificate, opensslMissing, type Server, startApiServer } from './kubernetes-api.ts';

const unreachable =
  'If the address belongs to a Service, it may not work before kube-proxy runs: use the API server itself, with --api-server or ' +
  'KUBERNETES_SERVICE_HOST';
const wrongCertificate =
  "Check that --api-server is the cluster's API server, by a name or address in its certificate, and that ca.crt in the service " +
  "account's folder is its CA";

describe.skipIf(opensslMissing !== undefined)('reading a node from an API server', () => {
  const own = opensslMissing === undefined ? newCertificate('IP:127.0.0.1') : { key: '', cert: '' };
  let server: Server | undefined;
  afterEach(() => server?.stop());

  async function read(respond: RequestListener, certificate = own, seconds = 10) {
    server = await startApiServer(certificate, respond);
    return readPodCidrs('win-1', { server: server.url, token: 'secret', ca: own.cert }, httpsGet, seconds);
  }

  /** Resolves with how reading failed. The port differs in each run. */
  async function failure(reading: Promise<unknown>) {
    const error = await reading.then(
      () => 'no error',
      (error: unknown) => error,
    );
    if (!(error instanceof NodeError)) return error;
    const { message, isTemporary } = error;
    return { message: message.replace(server?.url ?? '', 'SERVER'), isTemporary };
  }

  test('sends its token over HTTPS, and returns the PodCIDRs', async () => {
    const podCIDRs = await read(({ url, headers: { authorization } }, response) => {
      const isRight = url === '/api/v1/nodes/win-1' && authorization === 'Bearer secret';
      response.writeHead(isRight ? 200 : 404);
      response.end(JSON.stringify({ kind: 'Node', spec: { podCIDRs: ['10.244.3.0/24'] } }));
    });
    expect(podCIDRs).toEqual(['10.244.3.0/24']);
  });

  test('sends no token to a server with the certificate of another CA', async () => {
    const tokens: unknown[] = [];
    const reading = read(({ headers }, response) => {
      tokens.push(headers.authorization);
      response.end();
    }, newCertificate('IP:127.0.0.1'));
    expect(await failure(reading)).toEqual({
      message: `cannot read node win-1: SERVER cannot be used: its certificate was not issued by the CA of the service account. ${wrongCertificate}`,
      isTemporary: false,
    });
    expect(tokens).toEqual([]);
  });

  test('sends no token if the service account has no CA, even to a server that the machine trusts', async () => {
    const before = getCACertificates('default');
    setDefaultCACertificates([own.cert]);
    let requests = 0;
    server = await startApiServer(own, (_, response) => {
      requests += 1;
      response.end('{}');
    });
    const reading = httpsGet({ url: server.url, token: 'secret', ca: '' }, 10);
    const failed = await reading.then(
      () => false,
      () => true,
    );
    setDefaultCACertificates(before);
    expect({ failed, requests }).toEqual({ failed: true, requests: 0 });
  });

  test('fails if the server does not respond in time', async () => {
    expect(await failure(read(() => undefined, own, 0.3))).toEqual({
      message: `cannot read node win-1: SERVER cannot be used: it did not respond within 0.3 s. ${unreachable}`,
      isTemporary: true,
    });
  });

  test('fails if nothing listens', async () => {
    server = await startApiServer(own, (_, response) => response.end());
    await server.stop();
    const access = { server: server.url, token: 'secret', ca: own.cert };
    expect(await failure(readPodCidrs('win-1', access, httpsGet))).toEqual({
      message: `cannot read node win-1: SERVER cannot be used: it refuses connections. ${unreachable}`,
      isTemporary: true,
    });
  });
});
