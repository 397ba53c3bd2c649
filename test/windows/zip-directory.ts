/** Reads the central directory of a zip, as an unpacker does. */

/** The paths and times of a zip. */
export function centralDirectory(zip: Buffer): readonly { readonly path: string; readonly time: string }[] {
  const end = zip.lastIndexOf('PK\x05\x06', zip.length, 'latin1');
  const entries = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [name, extra, comment] = [
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ];
    const path = zip.toString('utf8', at + 46, at + 46 + name);
    entries.push({ path, time: dosTime(zip.readUInt16LE(at + 14), zip.readUInt16LE(at + 12)) });
    at += 46 + name + extra + comment;
  }
  return entries;
}

function dosTime(date: number, time: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [1980 + (date >> 9), two((date >> 5) & 15), two(date & 31)].join('-');
  return `${day}T${[time >> 11, (time >> 5) & 63, (time & 31) * 2].map(two).join(':')}`;
}
