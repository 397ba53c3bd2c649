/** The names of an installation's files. There is no other record: what a file is follows from its name alone. */

import { getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { findDialectName, pluginName } from '../../config/open-config.ts';

/** The name of the executable that containerd runs for the plugin type `win-hcn`. */
export const executableName = 'win-hcn.exe';

/** What win-hcn appends to the name of a file that is not in force: containerd reads no configuration that ends like this. */
export const ending = {
  /** A new version of an executable. */
  staged: '.new',
  /** The version before, for a rollback. */
  previous: '.previous',
  /** Another plugin's executable, or a configuration, that ours replaced or that would have preceded ours. */
  original: '.before-win-hcn',
  /** A file while it is written. */
  unfinished: '.win-hcn-new',
  /** One of our configurations that uninstall has removed. */
  removed: '.win-hcn-removed',
} as const;

/** An executable that is no longer needed, but that a program may still run. */
const retired = /\.old-[0-9a-f-]+$/i;

/** What the ending of a file's name means, and the name that the file has in force; undefined for other endings. */
export function readEnding(name: string): { readonly kind: string; readonly target: string } | undefined {
  const known = Object.entries(ending).find(([, text]) => name.toLowerCase().endsWith(text));
  if (known !== undefined) return { kind: known[0], target: name.slice(0, -known[1].length) };
  return retired.test(name) ? { kind: 'retired', target: name.replace(retired, '') } : undefined;
}

/** A new name for an executable that is no longer needed. */
export function retiredName(target: string): string {
  return `${target}.old-${Date.now().toString(16)}-${crypto.randomUUID().slice(0, 8)}`;
}

/** A file of an installation in the plugin folder. */
export interface BinFile {
  readonly kind: string;
  /** The name in force: `win-hcn.exe` or that of a replaced plugin; empty for an addon. */
  readonly target: string;
}

/** What a file in the plugin folder is to an installation; undefined if it is not part of one. */
export function binFileOf(name: string): BinFile | undefined {
  if (name.toLowerCase() === executableName) return { kind: 'executable', target: name };
  const [addon, rest] = /^win-hcn-koffi-[0-9a-f]{16}\.node(\.\S+)?$/i.exec(name) ?? [];
  if (addon !== undefined) return { kind: rest === undefined ? 'addon' : 'unfinished', target: '' };
  const found = readEnding(name);
  const isOurs = found?.target.toLowerCase() === executableName || isReplaceable(found?.target ?? '');
  return isOurs ? found : undefined;
}

/** Whether win-hcn can take the place of an executable. Other programs name their earlier versions as win-hcn does. */
export function isReplaceable(program: string): boolean {
  return /\.exe$/i.test(program) && findDialectName({ type: pluginName(program) }, '') !== undefined;
}

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
