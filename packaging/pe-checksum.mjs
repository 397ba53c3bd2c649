/** The checksum in a Portable Executable's optional header, which every change to the file makes stale. */

const PE_OFFSET = 0x3c;
const CHECKSUM_FROM_PE = 24 + 64;

/**
 * Writes the right checksum into `image`: the folded sum of all 16-bit words but itself, plus the length.
 * {@link https://learn.microsoft.com/windows/win32/debug/pe-format#optional-header-windows-specific-fields-image-only}
 * @param {Buffer} image
 */
export function writeChecksum(image) {
  const at = image.readUInt32LE(PE_OFFSET) + CHECKSUM_FROM_PE;
  image.writeUInt32LE(0, at);
  let sum = 0;
  const even = image.length & ~1;
  for (let i = 0; i < even; i += 2) {
    sum += image[i] | (image[i + 1] << 8);
    sum = (sum & 0xffff) + (sum >>> 16);
  }
  if (even < image.length) sum += image[even];
  sum = (sum & 0xffff) + (sum >>> 16);
  image.writeUInt32LE(sum + image.length, at);
}
