/** The names of an installation's files. There is no other record: what a name means follows from the name alone. */

import { findDialectName, pluginName } from '../../config/open-config.ts';

/** The name of the executable that containerd runs for the plugin type `win-hcn`. */
export const executableName = 'win-hcn.exe';

/** A file of an installation in the folder of the plugins. `target` is the program's name, `win-hcn.exe` or that of a peer. */
export type BinFile =
  /** In force. */
  | { readonly kind: 'executable'; readonly target: string }
  /** A new version that is not in force yet, or only part of one. `hash`: the first 16 hexadecimal digits of its SHA-256. */
  | { readonly kind: 'staged'; readonly target: string; readonly hash: string }
  /** The version before, for a rollback. */
  | { readonly kind: 'previous'; readonly target: string }
  /** No longer needed; it stays while a program runs it. */
  | { readonly kind: 'retired'; readonly target: string }
  /** A peer's own program while a copy of win-hcn has its name. */
  | { readonly kind: 'kept'; readonly target: string }
  /** The addon, which has its hash in its name. */
  | { readonly kind: 'addon' }
  /** An addon that was not written completely. */
  | { readonly kind: 'unfinished addon' };

/** A file of an installation in the folder of the configurations. `target` is the name of a configuration. */
export type ConfFile =
  /** A configuration that ours replaced or that would have preceded it. */
  | { readonly kind: 'parked'; readonly target: string }
  /** Being written, or only part of a file. */
  | { readonly kind: 'unfinished'; readonly target: string }
  /** One of ours that `uninstall` is about to delete. */
  | { readonly kind: 'removed'; readonly target: string };

type Reader<File> = readonly [RegExp, (target: string, rest: string) => File];

const binFiles: readonly Reader<BinFile>[] = [
  [/^(win-hcn\.exe)$/i, (target) => ({ kind: 'executable', target })],
  [/^(.+\.exe)\.new-([0-9a-f]{16})$/i, (target, hash) => ({ kind: 'staged', target, hash })],
  [/^(.+\.exe)\.previous$/i, (target) => ({ kind: 'previous', target })],
  [/^(.+\.exe)\.old-[0-9a-f-]+$/i, (target) => ({ kind: 'retired', target })],
  [/^(.+\.exe)\.before-win-hcn$/i, (target) => ({ kind: 'kept', target })],
  [/^win-hcn-koffi-[0-9a-f]{16}\.node$/i, () => ({ kind: 'addon' })],
  [/^win-hcn-koffi-[0-9a-f]{16}\.node\.\S+$/i, () => ({ kind: 'unfinished addon' })],
];

const confFiles: readonly Reader<ConfFile>[] = [
  [/^(.+)\.before-win-hcn$/i, (target) => ({ kind: 'parked', target })],
  [/^(.+)\.win-hcn-new$/i, (target) => ({ kind: 'unfinished', target })],
  [/^(.+)\.win-hcn-removed$/i, (target) => ({ kind: 'removed', target })],
];

/** Whether win-hcn can have the name of a program: other programs keep their earlier versions under similar names. */
function isTarget(program: string): boolean {
  return (
    program.toLowerCase() === executableName ||
    findDialectName({ type: pluginName(program) }, '') !== undefined
  );
}

/** What a file in the folder of the plugins is to an installation; undefined if it is not part of one. */
export function binFileOf(name: string): BinFile | undefined {
  const file = readName(name, binFiles);
  return file !== undefined && 'target' in file && !isTarget(file.target) ? undefined : file;
}

/** The same in the folder of the configurations. A configuration in use is not recognized by its name. */
export function confFileOf(name: string): ConfFile | undefined {
  return readName(name, confFiles);
}

function readName<File>(name: string, readers: readonly Reader<File>[]): File | undefined {
  for (const [pattern, read] of readers) {
    const [, target = '', rest = ''] = pattern.exec(name) ?? [];
    if (pattern.test(name)) return read(target, rest);
  }
  return undefined;
}

/** The name of a new version with this SHA-256, in hexadecimal, until it is in force. */
export function stagedName(target: string, sha256: string): string {
  return `${target}.new-${sha256.slice(0, 16)}`;
}

export function previousName(target: string): string {
  return `${target}.previous`;
}

/** `unique`: hexadecimal digits that no other file has. */
export function retiredName(target: string, unique: string): string {
  return `${target}.old-${unique}`;
}

/** The name of a peer's own program, or of a parked configuration. */
export function keptName(target: string): string {
  return `${target}.before-win-hcn`;
}

/** The name of a configuration while it is written: containerd reads no file that ends like this. */
export function unfinishedName(target: string): string {
  return `${target}.win-hcn-new`;
}

/** The name of one of our configurations that is about to be deleted. */
export function removedName(target: string): string {
  return `${target}.win-hcn-removed`;
}
