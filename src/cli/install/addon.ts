import { createHash } from 'node:crypto';
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { joinPath } from '../terminal/windows-path.ts';
import { type FileChange, writeFile } from './file-changes.ts';
import type { InstallFiles } from './files.ts';
import { binFileOf } from './names.ts';

/** The addon that an executable contains. */
export interface Addon {
  /** Contains the addon's hash. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The addon of the running executable; undefined if it is not packaged. */
export function ownAddon(): Addon | undefined {
  if (!isSea()) return undefined;
  const name = getAssetKeys().find((key) => binFileOf(key)?.kind === 'addon');
  return name === undefined ? undefined : { name, bytes: new Uint8Array(getRawAsset(name)) };
}

/** Writes the addon, unless it is there and only administrators could have modified it. */
export function addonChanges(
  addon: Addon | undefined,
  { folder, distrusted }: { readonly folder: string; readonly distrusted: readonly string[] },
  files: InstallFiles,
): readonly FileChange[] {
  if (addon === undefined) return [];
  const path = joinPath(folder, addon.name);
  const sha256 = createHash('sha256').update(addon.bytes).digest('hex');
  const isEqual = files.kindOf(path) === 'file' && files.identify(path).sha256 === sha256;
  return isEqual && !distrusted.includes(path) ? [] : [writeFile(path, addon.bytes, undefined)];
}
