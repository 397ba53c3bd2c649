import type { Session } from '../../session.ts';
import type { ConfFile } from '../containerd/conf-file.ts';
import { areFoldersKnown, type Facts, firstConf } from '../facts.ts';
import { folderOf, foldersAbove, inFolder, isSamePath } from '../paths.ts';
import { findOwnPlugin, locatePrograms, logOf, meaningOf, readConfFolder } from './configuration.ts';
import { readContainerd } from './containerd.ts';
import { askFiles } from './files.ts';
import { readLogAnswers } from './log-answers.ts';

type RuntimeFacts = Pick<Facts, 'containerd' | 'configuration' | 'files' | 'above' | 'log'>;

/** Reads the runtime's configuration and what it leads to, and asks who may change any of it. `given` stands for its first file. */
export async function readRuntime(session: Session, given: ConfFile | undefined): Promise<RuntimeFacts> {
  const { system, terminal } = session;
  const { executable } = system;
  const containerd = await readContainerd(terminal);
  const { folders } = containerd;
  const confFiles = given === undefined ? await readConfFolder(folders.confDir, session) : { known: [given] };
  const first = firstConf({ files: confFiles });
  const programs = locatePrograms(first, folders, system.isFile);
  const log = logOf(findOwnPlugin(first, { executable, programs, files: notAsked }), system);
  // An exe that is run by hand from elsewhere is not the runtime's.
  const isInBinDir = folders.binDirs.some((folder) => isSamePath(folder, folderOf(executable)));
  const isInstalled = !areFoldersKnown(containerd) || isInBinDir;
  const programFolders =
    isInstalled && !isInBinDir ? [...folders.binDirs, folderOf(executable)] : folders.binDirs;
  const own = [
    ...(isInstalled ? [executable] : []),
    ...programFolders.flatMap((folder) => [folder, ...addonsIn(folder, session)]),
    ...Object.values(programs).filter((path) => path !== undefined),
    folders.confDir,
    ...('known' in confFiles && given === undefined
      ? confFiles.known.slice(0, mostFiles).map(({ path }) => path)
      : []),
    ...log.places,
  ];
  const above = [...new Set(own.flatMap(foldersAbove))].filter((path) => !own.includes(path));
  const files = await askFiles(terminal, [...new Set(own), ...above]);
  const network = meaningOf(findOwnPlugin(first, { executable, programs, files }), executable);
  return {
    containerd,
    configuration: { files: confFiles, isGiven: given !== undefined, programs, network },
    files,
    above,
    log: { ...log, answers: await readLogAnswers(log.path, session) },
  };
}

/** A script may not be longer than Windows' command lines. */
const mostFiles = 20;

/** Where the log is decides what to ask for. */
const notAsked = { unknown: 'nobody asked' } as const;

/** What win-hcn has put into its folder. */
function addonsIn(folder: string, { terminal }: Session): readonly string[] {
  try {
    const names = terminal.listFolder(folder).filter((name) => /^win-hcn-koffi-.*\.node$/.test(name));
    return names.map((name) => inFolder(folder, name));
  } catch {
    return [];
  }
}
