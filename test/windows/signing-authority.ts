/** A certificate for signing, and a timestamp server, made by openssl for one test run. */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Writes `NAME.key` and the self-signed `NAME.pem` into a folder. */
function createCertificate(folder: string, name: string, usage: string): void {
  openssl(folder, [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=win-hcn test ${name}`],
    ...['-addext', 'keyUsage=digitalSignature', '-addext', `extendedKeyUsage=${usage}`],
    ...['-keyout', `${name}.key`, '-out', `${name}.pem`],
  ]);
}

/** Creates `signer.pem`, and `signer.pfx` with this password. Returns their paths. */
export function createSigner(folder: string, password: string): { certificate: string; pfx: string } {
  createCertificate(folder, 'signer', 'codeSigning');
  openssl(
    folder,
    [
      'pkcs12',
      '-export',
      '-inkey',
      'signer.key',
      '-in',
      'signer.pem',
      '-out',
      'signer.pfx',
      '-passout',
      'stdin',
    ],
    password,
  );
  return { certificate: join(folder, 'signer.pem'), pfx: join(folder, 'signer.pfx') };
}

/** Starts an RFC 3161 timestamp server on the loopback address. Returns its URL and certificate, and a function that stops it. */
export async function startTimestampServer(
  folder: string,
): Promise<{ url: string; certificate: string; stop: () => void }> {
  createCertificate(folder, 'timestamps', 'critical,timeStamping');
  writeFileSync(
    join(folder, 'timestamps.cnf'),
    [
      '[tsa]',
      'serial = serial',
      'signer_cert = timestamps.pem',
      'signer_key = timestamps.key',
      'signer_digest = sha256',
      'default_policy = 1.3.6.1.4.1.99999.1',
      'digests = sha256',
      'ess_cert_id_alg = sha256',
    ].join('\n'),
  );
  const server = createServer(async (request, response) => {
    writeFileSync(join(folder, 'query'), Buffer.concat(await request.toArray()));
    openssl(folder, [
      ...['ts', '-reply', '-config', 'timestamps.cnf', '-section', 'tsa'],
      ...['-queryfile', 'query', '-out', 'reply'],
    ]);
    response
      .setHeader('Content-Type', 'application/timestamp-reply')
      .end(readFileSync(join(folder, 'reply')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    certificate: join(folder, 'timestamps.pem'),
    stop: () => server.close(),
  };
}

function openssl(cwd: string, args: readonly string[], input = ''): void {
  execFileSync('openssl', args, { cwd, input, stdio: ['pipe', 'pipe', 'pipe'] });
}
