/** Reads a tar file with pax headers. */

export interface TarEntry {
  readonly path: string;
  readonly bytes: Buffer;
  readonly records: Readonly<Record<string, string>>;
}

/** Throws for a wrong checksum. */
export function tarEntries(tar: Buffer): readonly TarEntry[] {
  const entries: TarEntry[] = [];
  let records = {};
  for (let at = 0; tar.readUInt8(at) !== 0; ) {
    const header = tar.subarray(at, at + 512);
    const text = (from: number, to: number) => header.toString('latin1', from, to).replace(/\0.*$/, '');
    const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
    if (Number.parseInt(text(148, 156), 8) !== sum) throw new Error(`${text(0, 100)} has a wrong checksum`);
    const size = Number.parseInt(text(124, 136), 8);
    const bytes = tar.subarray(at + 512, at + 512 + size);
    if (text(156, 157) === 'x') {
      const lines = String(bytes).split('\n').slice(0, -1);
      records = Object.fromEntries(lines.map((line) => line.replace(/^\d+ /, '').split(/=(.*)/, 2)));
    } else {
      entries.push({ path: text(0, 100), bytes, records });
      records = {};
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return entries;
}
