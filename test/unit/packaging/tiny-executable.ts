/** A Portable Executable for x64 with headers and no program: enough for signatures. */

const PE = 0x40;
const OPTIONAL_HEADER = PE + 24;
export const CHECKSUM = OPTIONAL_HEADER + 64;
export const CERTIFICATES = OPTIONAL_HEADER + 112 + 4 * 8;

/** Returns headers, and `size` bytes after them. */
export function tinyExecutable(size: number): Buffer {
  const file = Buffer.alloc(0x200 + size, 'win-hcn');
  file.fill(0, 0, 0x200);
  file.write('MZ', 0, 'latin1');
  file.writeUInt32LE(PE, 0x3c);
  file.write('PE\0\0', PE, 'latin1');
  file.writeUInt16LE(0x20b, OPTIONAL_HEADER);
  return file;
}

/** Returns a copy with bytes in place of a signature, and a checksum of 0. */
export function withTable(file: Buffer, table: Buffer): Buffer {
  const padded = Buffer.concat([file, Buffer.alloc(-file.length & 7)]);
  const signed = Buffer.concat([padded, table]);
  signed.writeUInt32LE(padded.length, CERTIFICATES);
  signed.writeUInt32LE(table.length, CERTIFICATES + 4);
  return signed;
}
