import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why no API server can be simulated; undefined if it can. CI fails if tests are skipped. */
export const opensslMissing = spawnSync('openssl', ['version']).status === 0 ? undefined : 'openssl';

export interface Certificate {
  readonly key: string;
  /** In PEM; it is its own CA. */
  readonly cert: string;
}

/** A new self-signed certificate for a name, such as `IP:127.0.0.1`. */
export function newCertificate(name: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'win-hcn-certificate-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  const options = ['-days', '2', '-subj', '/CN=kubernetes', '-addext', `subjectAltName=${name}`];
  execFileSync('openssl', ['req', '-x509', ...key, '-out', certFile, ...options], { stdio: 'pipe' });
  const certificate = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
  rmSync(folder, { recursive: true });
  return certificate;
}

export interface Server {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves HTTPS on the loopback address. */
export async function startApiServer(certificate: Certificate, respond: RequestListener): Promise<Server> {
  const server = createServer(certificate, respond);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
