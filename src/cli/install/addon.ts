import { getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { binFileOf } from './layout.ts';

/** The addon that this executable contains. */
export interface Addon {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The addon of the running executable; undefined if it is not packaged. */
export function ownAddon(): Addon | undefined {
  if (!isSea()) return undefined;
  const name = getAssetKeys().find((key) => binFileOf(key)?.kind === 'addon');
  return name === undefined ? undefined : { name, bytes: new Uint8Array(getRawAsset(name)) };
}
