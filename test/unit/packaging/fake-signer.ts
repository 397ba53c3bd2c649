/** Stands in for signtool: node fake-signer.ts MODE FILE [TIMESTAMP]. It signs FILE in place with a signature of zeros, or does it wrong. */

import { readFileSync, writeFileSync } from 'node:fs';
import { checksumsOf } from '../../../packaging/authenticode.mjs';
import { CHECKSUM, withTable } from './tiny-executable.ts';

const [mode = '', file = '', timestamp, ...others] = process.argv.slice(2);

if (mode === 'fails') {
  process.stdout.write(`SignTool Error: arguments ${JSON.stringify([timestamp, ...others])}\r\n`);
  process.stderr.write(
    'the environment has WIN_HCN_SIGN_PASSWORD\r\n'.repeat(process.env['WIN_HCN_SIGN_PASSWORD'] ? 1 : 0),
  );
  process.exit(3);
}

if (mode !== 'does nothing') {
  const table = !timestamp ? '00'.repeat(16) : '0000060a2b0601040182370303010000';
  const signed = withTable(readFileSync(file), Buffer.from(table, 'hex'));
  if (mode === 'changes a byte') signed.writeUInt8(0xff, 0x200);
  if (mode !== 'forgets the checksum') signed.writeUInt32LE(checksumsOf(signed).computed, CHECKSUM);
  writeFileSync(file, signed);
}
