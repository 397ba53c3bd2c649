/** Tar files whose bytes depend on their entries and one time only. */

const BLOCK = 512;

/**
 * @typedef {object} Entry
 * @property {string} path with `/` at the end for a folder; at most 100 bytes
 * @property {Uint8Array} [bytes]
 * @property {Readonly<Record<string, string>>} [records] in a pax header before the entry
 */

/**
 * Writes entries in their order.
 * @param {readonly Entry[]} entries
 * @param {Date} time of all entries
 */
export function tar(entries, time) {
  const blocks = entries.flatMap(({ path, bytes = Buffer.alloc(0), records = {} }) => [
    ...paxHeader(records, time),
    header({ path, size: bytes.length, type: path.endsWith('/') ? '5' : '0', time }),
    ...padded(bytes),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function paxHeader(records, time) {
  const lines = Object.entries(records).map(([key, value]) => paxLine(` ${key}=${value}\n`));
  if (lines.length === 0) return [];
  const bytes = Buffer.from(lines.join(''));
  return [header({ path: 'pax', size: bytes.length, type: 'x', time }), ...padded(bytes)];
}

/** A line starts with its own length, digits included. */
function paxLine(rest) {
  const length = Buffer.byteLength(rest);
  const digits = String(length + String(length).length).length;
  return `${length + digits}${rest}`;
}

function header({ path, size, type, time }) {
  const block = Buffer.alloc(BLOCK);
  const octal = (value, at, digits) => block.write(`${value.toString(8).padStart(digits, '0')}\0`, at);
  if (block.write(path, 0) > 100) throw new Error(`${path} is too long for a tar header`);
  octal(type === '5' ? 0o755 : 0o644, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size, 124, 11);
  octal(Math.floor(time.getTime() / 1000), 136, 11);
  block.write(' '.repeat(8), 148);
  block.write(type, 156);
  block.write('ustar\x0000', 257, 'latin1');
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  return block;
}

function padded(bytes) {
  return [bytes, Buffer.alloc(-bytes.length & (BLOCK - 1))];
}
