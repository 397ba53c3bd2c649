/**
 * A registry hive with a root key and nothing else. Windows unpacks a base layer only with the five hives of System32\config, and Windows
 * Server 2025 reads them: empty files are refused as corrupt.
 */

import { descriptor } from './security.mjs';

const BLOCK = 0x1000;
/** Where cells start in the block after the header. Offsets of cells count from the start of that block. */
const FIRST_CELL = 0x20;
const NONE = 0xffffffff;
const FULL_CONTROL_OF_KEYS = 0xf003f;
const SUBKEYS_INHERIT = 2;

/** @param {Date} time of the hive and its root key */
export function emptyHive(time) {
  const filetime = BigInt(time.getTime() + 11_644_473_600_000) * 10_000n;
  const hive = Buffer.alloc(2 * BLOCK);
  const bin = hive.subarray(BLOCK);
  bin.write('hbin', 0, 'latin1');
  bin.writeUInt32LE(BLOCK, 8);
  bin.writeBigUInt64LE(filetime, 20);
  const security = FIRST_CELL + writeCell(bin, FIRST_CELL, rootKey(filetime));
  rootKeySecurity(bin, security);
  const rest = security + writeCell(bin, security, securityCell(security));
  bin.writeInt32LE(BLOCK - rest, rest);
  writeHeader(hive, filetime);
  return hive;
}

/** Writes a cell in use and returns its size: its length, in units of 8 bytes. */
function writeCell(bin, at, bytes) {
  const size = (4 + bytes.length + 7) & ~7;
  bin.writeInt32LE(-size, at);
  bin.set(bytes, at + 4);
  return size;
}

/** Without subkeys, values and class. */
function rootKey(filetime) {
  const name = 'ROOT';
  const key = Buffer.alloc(0x4c + name.length);
  key.write('nk', 0, 'latin1');
  // The root of a hive, which cannot be deleted, with a name in single bytes.
  key.writeUInt16LE(0x2c, 2);
  key.writeBigUInt64LE(filetime, 4);
  for (const absent of [0x10, 0x1c, 0x20, 0x28, 0x30]) key.writeUInt32LE(NONE, absent);
  key.writeUInt16LE(name.length, 0x48);
  key.write(name, 0x4c, 'latin1');
  return key;
}

function rootKeySecurity(bin, at) {
  bin.writeUInt32LE(at, FIRST_CELL + 4 + 0x2c);
}

/** The only one: it follows itself. */
function securityCell(at) {
  const bytes = descriptor(FULL_CONTROL_OF_KEYS, SUBKEYS_INHERIT);
  const header = Buffer.alloc(20);
  header.write('sk', 0, 'latin1');
  header.writeUInt32LE(at, 4);
  header.writeUInt32LE(at, 8);
  header.writeUInt32LE(1, 12);
  header.writeUInt32LE(bytes.length, 16);
  return Buffer.concat([header, bytes]);
}

/** Version 1.5, written completely. */
function writeHeader(hive, filetime) {
  hive.write('regf', 0, 'latin1');
  hive.writeBigUInt64LE(filetime, 12);
  const fields = { 4: 1, 8: 1, 20: 1, 24: 5, 32: 1, 36: FIRST_CELL, 40: BLOCK, 44: 1 };
  for (const [at, value] of Object.entries(fields)) hive.writeUInt32LE(value, Number(at));
  let sum = 0;
  for (let at = 0; at < 0x1fc; at += 4) sum ^= hive.readUInt32LE(at);
  hive.writeUInt32LE(sum >>> 0, 0x1fc);
}
