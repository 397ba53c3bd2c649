/** Security descriptors that give access to administrators and SYSTEM only. */

/** A SID: revision 1, the NT authority, and 32-bit numbers. */
function sid(...numbers) {
  const bytes = Buffer.alloc(8 + 4 * numbers.length);
  bytes.set([1, numbers.length, 0, 0, 0, 0, 0, 5]);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32LE(number, 8 + 4 * index);
  return bytes;
}

const administrators = sid(32, 544);
const system = sid(18);

/** An entry that allows access. Flag 1 is for files in a folder, 2 for folders in it. */
function allow(who, mask, flags) {
  const header = Buffer.alloc(8);
  header.writeUInt8(flags, 1);
  header.writeUInt16LE(8 + who.length, 2);
  header.writeUInt32LE(mask, 4);
  return Buffer.concat([header, who]);
}

/**
 * A self-relative descriptor with a protected DACL: administrators own the object, and they and SYSTEM have the access of a mask.
 * @param {number} mask
 * @param {number} flags of inheritance
 */
export function descriptor(mask, flags) {
  const entries = [administrators, system].map((who) => allow(who, mask, flags));
  const dacl = Buffer.alloc(8);
  dacl.writeUInt8(2, 0);
  dacl.writeUInt16LE(8 + Buffer.concat(entries).length, 2);
  dacl.writeUInt16LE(entries.length, 4);
  const header = Buffer.alloc(20);
  header.writeUInt8(1, 0);
  header.writeUInt16LE(0x9004, 2);
  header.writeUInt32LE(header.length, 4);
  header.writeUInt32LE(header.length + administrators.length, 8);
  header.writeUInt32LE(header.length + administrators.length + system.length, 16);
  return Buffer.concat([header, administrators, system, dacl, ...entries]);
}
