import { decodeText } from '../../cni/text.ts';
import { confNames } from '../conflist/files.ts';
import { isSamePath, joinPath } from '../terminal/windows-path.ts';
import type { InstallFiles } from './files.ts';
import type { InstallFolders } from './folders.ts';
import { type BinFile, binFileOf, confFileOf, removedName } from './layout.ts';
import { findOwnConfigurations, isOurs, type OwnConfiguration } from './plan-configuration.ts';
import { findCopies, listIfPresent } from './plan-executables.ts';
import { planFolder } from './plan-folder.ts';
import type { InstallStep } from './step.ts';

/** What an uninstallation changes, in two parts: the networks are deleted between them. */
export interface UninstallPlan {
  readonly folders: InstallFolders;
  /** Puts peers and their configurations back in force, and takes ours out of force. */
  readonly withdraw: readonly InstallStep[];
  /** Our configurations, also those that an interrupted uninstallation has taken out of force. */
  readonly configurations: readonly OwnConfiguration[];
  /** Deletes our files. */
  readonly remove: readonly InstallStep[];
  readonly remarks: readonly string[];
}

/** Plans the removal of an installation. Reads the disk only. */
export function planUninstall(folders: InstallFolders, files: InstallFiles): UninstallPlan {
  const bin = planFolder(folders.bin, files);
  const conf = planFolder(folders.conf, files);
  const programs = planPrograms(bin.path, files);
  const configurations = planConfigurations(conf.path, files);
  return {
    folders: { ...folders, bin: bin.path, conf: conf.path },
    withdraw: [...programs.restore, ...configurations.withdraw],
    configurations: configurations.own,
    remove: [...configurations.remove, ...programs.remove],
    remarks: [...bin.remarks, ...conf.remarks, ...configurations.remarks],
  };
}

interface Programs {
  readonly restore: readonly InstallStep[];
  readonly remove: readonly InstallStep[];
}

/** How each kind of file is deleted. A peer's own program is restored, or deleted as a file if there is a newer one. */
const deletions: Readonly<Record<BinFile['kind'], 'delete executable' | 'delete addon' | undefined>> = {
  executable: 'delete executable',
  previous: 'delete executable',
  staged: 'delete executable',
  retired: 'delete executable',
  addon: 'delete addon',
  'unfinished addon': 'delete addon',
  kept: undefined,
};

/** No repair restores a version that is deleted before the one in force, and no request unpacks an addon that is deleted last. */
const order: readonly (BinFile['kind'] | undefined)[] = [
  'previous',
  'staged',
  'retired',
  'executable',
  'unfinished addon',
  'addon',
];

/** A peer that has been installed again over our copy stays, and its older executable is deleted. */
function planPrograms(folder: string, files: InstallFiles): Programs {
  const names = listIfPresent(folder, files).filter(
    (name) => files.status(joinPath(folder, name))?.kind !== 'folder',
  );
  const copies = findCopies(folder, files).map((name) => name.toLowerCase());
  const found = names.map((name) => ({ name, file: binFileOf(name), path: joinPath(folder, name) }));
  const kept = found.flatMap(({ file, path }) =>
    file?.kind === 'kept' ? [{ target: file.target, path }] : [],
  );
  const isReplaceable = (target: string) =>
    copies.includes(target.toLowerCase()) || files.status(joinPath(folder, target)) === undefined;
  const restored = kept.filter(({ target }) => isReplaceable(target));
  const isRestored = (name: string) =>
    restored.some(({ target }) => target.toLowerCase() === name.toLowerCase());
  return {
    restore: restored.map(({ target }) => ({ do: 'restore executable', folder, target })),
    remove: [
      ...kept
        .filter(({ target }) => !isReplaceable(target))
        .map(({ path }): InstallStep => ({ do: 'delete file', path })),
      ...found
        .map(({ name, file, path }) => {
          const isCopy = copies.includes(name.toLowerCase()) && !isRestored(name);
          return { path, kind: isCopy ? 'executable' : file?.kind };
        })
        .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
        .flatMap(({ path, kind }): readonly InstallStep[] => {
          const deletion = kind && deletions[kind];
          return deletion === undefined ? [] : [{ do: deletion, path }];
        }),
    ],
  };
}

interface Configurations {
  readonly withdraw: readonly InstallStep[];
  readonly own: readonly OwnConfiguration[];
  readonly remove: readonly InstallStep[];
  readonly remarks: readonly string[];
}

function planConfigurations(folder: string, files: InstallFiles): Configurations {
  const names = listIfPresent(folder, files).filter(
    (name) => files.status(joinPath(folder, name))?.kind === 'file',
  );
  const inForce = findOwnConfigurations(folder, files);
  const kept = names.flatMap((name) => {
    const file = confFileOf(name);
    if (file?.kind !== 'parked' || confNames([file.target]).length === 0) return [];
    return [{ name, target: file.target, bytes: files.read(joinPath(folder, name)) }];
  });
  const isOwn = ({ target, bytes }: (typeof kept)[number]) => isOurs(target, bytes);
  const parked = kept.filter((one) => !isOwn(one));
  const ownParked = kept.filter(isOwn);
  const withdrawn = names.flatMap((name) => {
    const file = confFileOf(name);
    return file?.kind === 'removed' ? [{ name: file.target, bytes: files.read(joinPath(folder, name)) }] : [];
  });
  const own = [...inForce, ...withdrawn.filter(({ name }) => !inForce.some((one) => one.name === name))];
  const has = (list: readonly string[], target: string) => list.some((name) => isSamePath(name, target));
  const isFree = (target: string) =>
    !has(names, target) ||
    has(
      inForce.map(({ name }) => name),
      target,
    );
  const restored = parked.filter(({ target }) => isFree(target));
  const others = parked.filter(({ target }) => !isFree(target));
  const textOf = (name: string) => decodeText(files.read(joinPath(folder, name)));
  const copies = others.filter(({ name, target }) => textOf(name) === textOf(target));
  return {
    own: [...own, ...ownParked],
    withdraw: [
      ...restored.map(({ name, target }): InstallStep => {
        const path = joinPath(folder, name);
        return {
          do: 'restore configuration',
          path,
          to: joinPath(folder, target),
          previous: bytesOf(inForce, target),
        };
      }),
      ...inForce
        .filter(({ name }) => !restored.some(({ target }) => isSamePath(target, name)))
        .map(({ name }): InstallStep => {
          const path = joinPath(folder, name);
          return { do: 'rename configuration', path, to: removedName(path), replaced: undefined };
        }),
    ],
    remove: [
      ...[...copies, ...ownParked].map(({ name }) => name),
      ...own.map(({ name }) => removedName(name)),
    ].map((name) => ({
      do: 'delete file',
      path: joinPath(folder, name),
    })),
    remarks: others
      .filter((one) => !copies.includes(one))
      .map(
        ({ name, target }) =>
          `${joinPath(folder, name)} is kept: there is a newer ${target}. Delete the one that you do not need.`,
      ),
  };
}

function bytesOf(own: readonly OwnConfiguration[], name: string): Uint8Array | undefined {
  return own.find((one) => isSamePath(one.name, name))?.bytes;
}
