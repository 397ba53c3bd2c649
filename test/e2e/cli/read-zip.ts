import { crc32, inflateRawSync } from 'node:zlib';

/**
 * The files of a zip by their paths, read by its central directory as an unpacker does. Throws where a checksum or a length is wrong.
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export function readZip(bytes: Uint8Array): Readonly<Record<string, Buffer>> {
  const zip = Buffer.from(bytes);
  const end = zip.lastIndexOf('PK\x05\x06', zip.length, 'latin1');
  const files: Record<string, Buffer> = {};
  let entry = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    expectMark(zip, entry, 'PK\x01\x02');
    const [packed, length] = [zip.readUInt32LE(entry + 20), zip.readUInt32LE(entry + 24)];
    const [name, extra, comment] = [28, 30, 32].map((at) => zip.readUInt16LE(entry + at)) as [
      number,
      number,
      number,
    ];
    const path = zip.toString('utf8', entry + 46, entry + 46 + name);
    const local = zip.readUInt32LE(entry + 42);
    expectMark(zip, local, 'PK\x03\x04');
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const stored = zip.subarray(start, start + packed);
    const content = zip.readUInt16LE(entry + 10) === 8 ? inflateRawSync(stored) : stored;
    if (content.length !== length || crc32(content) !== zip.readUInt32LE(entry + 16))
      throw new Error(`${path} is damaged`);
    if (files[path] !== undefined) throw new Error(`${path} is there twice`);
    files[path] = content;
    entry += 46 + name + extra + comment;
  }
  return files;
}

function expectMark(zip: Buffer, at: number, mark: string): void {
  if (zip.toString('latin1', at, at + 4) !== mark) throw new Error(`no ${JSON.stringify(mark)} at ${at}`);
}
