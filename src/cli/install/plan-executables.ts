import { CniError, code } from '../../cni/error.ts';
import { findDialectName, pluginName } from '../../config/open-config.ts';
import { isSamePath, joinPath } from '../terminal/windows-path.ts';
import type { FileIdentity, InstallFiles } from './files.ts';
import { binFileOf, executableName, keptName, previousName, stagedName } from './layout.ts';
import type { InstallStep } from './step.ts';

/** The program in force under a name: win-hcn of some version, or another one. */
interface Program {
  readonly target: string;
  readonly identity: FileIdentity | undefined;
}

/** The file name of a peer's program, from the value of `--replace`. Throws CniError if win-hcn cannot replace it. */
export function peerProgram(given: string): string {
  const name = pluginName(given);
  if (findDialectName({ type: name }, '') === undefined)
    throw new CniError(
      code.invalidEnvironment,
      `win-hcn cannot replace ${given}: it accepts the configurations of win-bridge, win-overlay, sdnbridge, sdnoverlay and nat.`,
    );
  return `${name}.exe`;
}

/** Copies of win-hcn under the names of peers. */
export function findCopies(folder: string, files: InstallFiles): readonly string[] {
  return listIfPresent(folder, files).filter((name) => {
    if (!name.toLowerCase().endsWith('.exe')) return false;
    const isPeer = findDialectName({ type: pluginName(name) }, '') !== undefined;
    const path = joinPath(folder, name);
    return isPeer && files.status(path)?.kind === 'file' && files.identify(path).addon !== undefined;
  });
}

/**
 * The steps that put an executable in force, as win-hcn.exe and in the place of peers, wherever another one is. Programs that others than
 * administrators could have modified are replaced even if they have the right content now, and not kept. Throws CniError if a name is taken
 * by a link or a folder.
 */
export function planExecutables(
  {
    source,
    folder,
    peers,
    distrusted = [],
  }: { source: string; folder: string; peers: readonly string[]; distrusted?: readonly string[] },
  files: InstallFiles,
): readonly InstallStep[] {
  const { sha256 } = files.identify(source);
  const copies = [...peers, ...findCopies(folder, files)];
  const targets = [executableName, ...new Set(copies.map((name) => name.toLowerCase()))];
  const isDistrusted = (name: string) => distrusted.some((path) => isSamePath(path, joinPath(folder, name)));
  const removed = listIfPresent(folder, files)
    .filter((name) => binFileOf(name)?.kind === 'previous' && isDistrusted(name))
    .map((name): InstallStep => ({ do: 'delete executable', path: joinPath(folder, name) }));
  const steps = targets
    .map((target) => identify(target, folder, files))
    .map((program) => ({ ...program, isTrusted: !isDistrusted(program.target) }))
    .filter(({ identity, isTrusted }) => identity?.sha256 !== sha256 || !isTrusted)
    .map((program) => replace(program, { source, folder, sha256 }));
  // All are staged and run before the first is in force.
  return [...removed, ...steps.map(({ stage }) => stage), ...steps.map(({ put }) => put)];
}

function replace(
  { target, identity, isTrusted }: Program & { readonly isTrusted: boolean },
  { source, folder, sha256 }: { source: string; folder: string; sha256: string },
): { readonly stage: InstallStep; readonly put: InstallStep } {
  const isOwn = target === executableName || identity?.addon !== undefined;
  const ownName = isTrusted ? previousName(target) : undefined;
  const keepAs = isOwn ? ownName : keptName(target);
  const isNew = identity === undefined;
  return {
    stage: { do: 'stage executable', source, folder, target, sha256 },
    put: { do: 'replace executable', folder, target, staged: stagedName(target, sha256), keepAs, isNew },
  };
}

function identify(target: string, folder: string, files: InstallFiles): Program {
  const path = joinPath(folder, target);
  const found = files.status(path);
  if (found === undefined) return { target, identity: undefined };
  if (found.kind === 'file') return { target, identity: files.identify(path) };
  const what = found.kind === 'link' ? 'a link' : 'not a file';
  throw new CniError(code.ioFailure, `${path} is ${what}. Delete it and run this command again.`);
}

/** The names in a folder; none if it does not exist. */
export function listIfPresent(folder: string, files: InstallFiles): readonly string[] {
  return files.status(folder) === undefined ? [] : files.list(folder);
}
