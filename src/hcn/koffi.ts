/** Loads koffi: from node_modules in development, from the addon in the exe otherwise. */

import {
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { errorCode } from '../cni/error.ts';

/** The API of koffi's native addon, without the deprecated aliases that its JavaScript adds. */
export type Koffi = Omit<typeof import('koffi'), 'default' | 'resolve' | 'introspect'>;

/** The asset has the name of the file it is written to, with the addon's hash (packaging/exe.mjs). */
const ADDON = /^win-hcn-koffi-[0-9a-f]{16}\.node$/;

let koffi: Koffi | undefined;

/**
 * Loads koffi once, with a stack of 1 MiB for calls, the default of a Windows thread. koffi's default is 128 KiB; RPC, and security
 * software that hooks these calls, may need more. Throws an Error of one sentence if the addon cannot be written beside the exe.
 * https://learn.microsoft.com/windows/win32/procthread/thread-stack-size
 */
export function loadKoffi(): Koffi {
  if (koffi !== undefined) return koffi;
  koffi = loadAddon();
  koffi.config({ async_stack_size: 1024 * 1024 });
  return koffi;
}

function loadAddon(): Koffi {
  if (!isSea())
    return process.getBuiltinModule('node:module').createRequire(import.meta.url)('koffi') as Koffi;
  const name = getAssetKeys().find((key) => ADDON.test(key));
  if (name === undefined) throw new Error('win-hcn was packaged without koffi: package it again.');
  const loaded: { exports: unknown } = { exports: {} };
  process.dlopen(loaded, placeAddon(dirname(process.execPath), name, new Uint8Array(getRawAsset(name))));
  return loaded.exports as Koffi;
}

/**
 * Writes `bytes` to `folder/name` unless the file has them already, and returns its path: Windows cannot load an addon from inside an exe.
 * The folder is the exe's own and not a temporary one, so that only accounts that may write there can replace the file after the check. A
 * file or link with other content is replaced, never followed or overwritten in place. Concurrent processes write the same bytes.
 */
export function placeAddon(folder: string, name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  if (hasContent(path, bytes)) return path;
  const temporary = `${path}.${process.pid}-${process.hrtime.bigint()}`;
  try {
    writeFileSync(temporary, bytes, { flag: 'wx' });
    replace(path, temporary);
  } catch (cause) {
    rmSync(temporary, { force: true });
    if (hasContent(path, bytes)) return path;
    throw new Error(describeFailure(folder, path, errorCode(cause) ?? cause), { cause });
  }
  removeOthers(folder, name);
  return path;
}

/**
 * Renames a file to `path` in one step, so that a concurrent process always finds an addon. Windows replaces no read-only file: its
 * attribute is cleared. https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-movefileexw
 */
function replace(path: string, temporary: string): void {
  try {
    renameSync(temporary, path);
  } catch (cause) {
    if (errorCode(cause) !== 'EPERM' || !lstatSync(path).isFile()) throw cause;
    chmodSync(path, 0o600);
    renameSync(temporary, path);
  }
}

/** Whether a path is a regular file with these bytes: not a link, and without a second hard link. */
function hasContent(path: string, bytes: Uint8Array): boolean {
  try {
    const found = lstatSync(path);
    return found.isFile() && found.nlink === 1 && readsAs(path, bytes);
  } catch {
    return false;
  }
}

/** Compares a file piece by piece: a buffer of its size would take longer to allocate than to fill. */
function readsAs(path: string, bytes: Uint8Array): boolean {
  const descriptor = openSync(path, 'r');
  try {
    const piece = Buffer.allocUnsafeSlow(65536);
    let at = 0;
    for (;;) {
      const length = readSync(descriptor, piece);
      if (length === 0) return at === bytes.length;
      if (!piece.subarray(0, length).equals(bytes.subarray(at, at + length))) return false;
      at += length;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Removes addons of other versions, unless they are in use. An exe of such a version writes its addon again. */
function removeOthers(folder: string, name: string): void {
  for (const other of listFolder(folder)) {
    if (other === name || !ADDON.test(other)) continue;
    try {
      rmSync(join(folder, other));
    } catch {
      // In use, or no permission.
    }
  }
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function describeFailure(folder: string, path: string, code: unknown): string {
  return exists(path)
    ? `${path} is not the file that this win-hcn wrote and cannot be replaced (${code}): delete it.`
    : `Cannot write ${path} (${code}): allow the account that runs this plugin to write to ${folder}.`;
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
