/** The one place koffi comes from: node_modules in development, the addon inside the exe when shipped. */

import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';

/** koffi's native addon is its whole API; what its JavaScript adds are deprecated aliases, left out here. */
export type Koffi = Omit<typeof import('koffi'), 'default' | 'resolve' | 'introspect'>;

/** The asset is named like the file it becomes; packaging/exe.mjs puts the hash of the addon in the name. */
const ADDON = /^win-hcn-koffi-[0-9a-f]{16}\.node$/;

let koffi: Koffi | undefined;

/**
 * Loads koffi once, with a stack of 1 MiB for calls, the default of a Windows thread. koffi's default is 128 KiB; RPC, and security
 * software that hooks these calls, may need more. Throws an Error of one sentence when the exe cannot put its addon beside itself.
 * https://learn.microsoft.com/windows/win32/procthread/thread-stack-size
 */
export function loadKoffi(): Koffi {
  if (koffi !== undefined) return koffi;
  koffi = loadAddon();
  koffi.config({ async_stack_size: 1024 * 1024 });
  return koffi;
}

function loadAddon(): Koffi {
  if (!isSea()) return createRequire(import.meta.url)('koffi') as Koffi;
  const name = getAssetKeys().find((key) => ADDON.test(key));
  if (name === undefined) throw new Error('This win-hcn was packaged without koffi: package it again.');
  const loaded: { exports: unknown } = { exports: {} };
  process.dlopen(loaded, placeAddon(dirname(process.execPath), name, new Uint8Array(getRawAsset(name))));
  return loaded.exports as Koffi;
}

/**
 * Makes `folder/name` hold exactly `bytes` and answers its path: Windows loads no addon from inside an exe.
 * It goes beside the exe, never to a temporary folder, so that only those can swap it after this look whom the exe's folder lets
 * write. Whatever is there already is compared byte by byte and replaced, never followed or written through, when it
 * is anything else; processes that race write the same, so that whoever wins is right.
 */
export function placeAddon(folder: string, name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  if (holds(path, bytes)) return path;
  const temporary = `${path}.${process.pid}-${process.hrtime.bigint()}`;
  try {
    writeFileSync(temporary, bytes, { flag: 'wx' });
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    if (holds(path, bytes)) return path;
    throw new Error(complaint(folder, path, codeOf(cause)), { cause });
  }
  removeOthers(folder, name);
  return path;
}

/** Whether a path is a file of its own, no link and without a second name, with these bytes. */
function holds(path: string, bytes: Uint8Array): boolean {
  try {
    const found = lstatSync(path);
    return found.isFile() && found.nlink === 1 && readFileSync(path).equals(bytes);
  } catch {
    return false;
  }
}

/** Addons of other versions: an exe that still is of such a version writes its own again. One in use stays. */
function removeOthers(folder: string, name: string): void {
  for (const other of namesIn(folder)) {
    if (other === name || !ADDON.test(other)) continue;
    try {
      rmSync(join(folder, other));
    } catch {
      // It is in use, or not ours to remove.
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function complaint(folder: string, path: string, code: string): string {
  return isThere(path)
    ? `${path} is not the file this win-hcn wrote and cannot be replaced (${code}): delete it.`
    : `Cannot write ${path} (${code}): let the account that runs this plugin write to ${folder}.`;
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
