/** A certificate for signing, and a timestamp server, made by openssl for one test run. */

import { execFileSync } from 'node:child_process';
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

function openssl(cwd: string, args: readonly string[], input = ''): void {
  execFileSync('openssl', args, { cwd, input, stdio: ['pipe', 'pipe', 'pipe'] });
}
