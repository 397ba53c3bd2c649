/** The one place koffi comes from: node_modules in development, the addon inside the exe when shipped. */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';

/** koffi's native addon is its whole API; what its JavaScript adds are deprecated aliases, left out here. */
export type Koffi = Omit<typeof import('koffi'), 'default' | 'resolve' | 'introspect'>;

/** The asset is named like the file it becomes; packaging/exe.mjs puts the hash of the addon in the name. */
const ADDON = /^win-hcn-koffi-[0-9a-f]{16}\.node$/;

/** Loads koffi. Throws an Error of one sentence when the exe cannot put its addon beside itself. */
export function loadKoffi(): Koffi {
  if (!isSea()) return createRequire(import.meta.url)('koffi') as Koffi;
  const name = getAssetKeys().find((key) => ADDON.test(key));
  if (name === undefined) throw new Error('This win-hcn was packaged without koffi: package it again.');
  const loaded: { exports: unknown } = { exports: {} };
  process.dlopen(loaded, placeAddon(dirname(process.execPath), name, new Uint8Array(getRawAsset(name))));
  return loaded.exports as Koffi;
}

/**
 * Makes `folder/name` hold exactly `bytes` and answers its path: Windows loads no addon from inside an exe.
 * It goes beside the exe, never to a temporary folder, so that it is as protected as the exe. Whatever is there
 * already is compared byte by byte, and processes that race write the same, so that whoever wins is right.
 */
export function placeAddon(folder: string, name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  const before = contentOf(path);
  if (before?.equals(bytes)) return path;
  const temporary = `${path}.${process.pid}-${process.hrtime.bigint()}`;
  try {
    writeFileSync(temporary, bytes, { flag: 'wx' });
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    if (contentOf(path)?.equals(bytes)) return path;
    throw new Error(complaint(folder, path, before !== undefined, codeOf(cause)), { cause });
  }
  return path;
}

function complaint(folder: string, path: string, wasThere: boolean, code: string): string {
  return wasThere
    ? `${path} is not the file this win-hcn wrote and cannot be replaced (${code}): delete it.`
    : `Cannot write ${path} (${code}): let the account that runs this plugin write to ${folder}.`;
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
