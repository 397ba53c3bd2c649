/**
 * Reads what a signature changes in a Portable Executable: the checksum, the certificate table and its directory entry.
 * {@link https://learn.microsoft.com/windows/win32/debug/pe-format#process-for-generating-the-authenticode-pe-image-hash}
 */

import { createHash } from 'node:crypto';

const OPTIONAL_HEADER = 24;
const CHECKSUM = OPTIONAL_HEADER + 64;
const PE32_PLUS = 0x20b;
/** Windows aligns the certificate table, and signing tools fill the gap before it with zeros. */
const ALIGNMENT = 8;
/** The object identifier of an RFC 3161 timestamp in a signature, 1.3.6.1.4.1.311.3.3.1, in DER. */
const TIMESTAMP = Buffer.from('060a2b060104018237030301', 'hex');

/**
 * The SHA-256 that App Control and AppLocker use in hash rules, as `Get-AppLockerFileInformation` shows it. It is the same for a file
 * with and without a signature. `Get-FileHash` shows another hash: that of all bytes.
 * @param {Buffer} file
 * @returns {string} 64 hexadecimal digits
 */
export function authenticodeHash(file) {
  const { checksum, entry, end } = placesIn(file);
  const hash = createHash('sha256')
    .update(file.subarray(0, checksum))
    .update(file.subarray(checksum + 4, entry))
    .update(file.subarray(entry + 8, end));
  return hash.update(Buffer.alloc(-end & (ALIGNMENT - 1))).digest('hex');
}

/**
 * @param {Buffer} file
 * @returns {'none' | 'signed' | 'signed and timestamped'} without a verification of the signature
 */
export function signatureOf(file) {
  const { end } = placesIn(file);
  if (end === file.length) return 'none';
  return file.indexOf(TIMESTAMP, end) === -1 ? 'signed' : 'signed and timestamped';
}

/**
 * Whether a file has the contents that were signed: its signature contains its Authenticode hash. Does not verify who signed it.
 * @param {Buffer} file
 */
export function isAsSigned(file) {
  return file.indexOf(Buffer.from(authenticodeHash(file), 'hex'), placesIn(file).end) !== -1;
}

/**
 * The checksum in the header, and the one that ImageHlp computes.
 * @param {Buffer} file
 */
export function checksumsOf(file) {
  const { checksum } = placesIn(file);
  return { stored: file.readUInt32LE(checksum), computed: computeChecksum(file, checksum) };
}

function computeChecksum(file, at) {
  let sum = 0;
  for (let place = 0; place < file.length; place += 2) {
    if (place === at || place === at + 2) continue;
    sum += place + 1 < file.length ? file.readUInt16LE(place) : file[place];
    sum = (sum & 0xffff) + (sum >>> 16);
  }
  return sum + file.length;
}

/** The places of the checksum and of the certificate table's directory entry, and where the signed bytes end. */
function placesIn(file) {
  const pe = file.length < 0x40 ? file.length : file.readUInt32LE(0x3c);
  if (pe + OPTIONAL_HEADER + 152 > file.length || file.toString('latin1', pe, pe + 4) !== 'PE\0\0')
    throw new Error('not a Windows executable');
  const directories = file.readUInt16LE(pe + OPTIONAL_HEADER) === PE32_PLUS ? 112 : 96;
  const entry = pe + OPTIONAL_HEADER + directories + 4 * 8;
  const [table, size] = [file.readUInt32LE(entry), file.readUInt32LE(entry + 4)];
  if (size === 0) return { checksum: pe + CHECKSUM, entry, end: file.length };
  if (table + size !== file.length) throw new Error('the signature is not at the end of the file');
  return { checksum: pe + CHECKSUM, entry, end: table };
}
