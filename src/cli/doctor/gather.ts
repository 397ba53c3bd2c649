import { aroundHcnCalls } from '../../hcn/around-calls.ts';
import { hcnClient } from '../../hcn/client.ts';
import { hcnWithin, limitsOf, newLimit } from '../../hcn/deadline.ts';
import { aroundIpHelperCalls, ipHelperWithin } from '../../iphlpapi/around-calls.ts';
import { isHnsUnavailable } from '../hns-unavailable.ts';
import { takeInventory } from '../inventory/inventory.ts';
import type { Session } from '../session.ts';
import { askAccount } from './collectors/account.ts';
import {
  findOwnPlugin,
  locatePrograms,
  logOf,
  meaningOf,
  readConfFolder,
} from './collectors/configuration.ts';
import { readContainerd } from './collectors/containerd.ts';
import { askFiles } from './collectors/files.ts';
import { askHnsCrashes } from './collectors/hns-crashes.ts';
import { askHnsService } from './collectors/hns-service.ts';
import { readLogAnswers } from './collectors/log-answers.ts';
import { askPorts } from './collectors/ports.ts';
import { askWindowsVersion } from './collectors/windows-version.ts';
import { type ConfFile, readConfFile } from './containerd/conf-file.ts';
import { factOf } from './fact.ts';
import { type Facts, firstConf } from './facts.ts';
import { folderOf, foldersAbove, inFolder, nameOf } from './paths.ts';

/** What one call to HCN or the IP Helper may take: whoever runs this suspects that they hang. */
const secondsPerCall = 10;

/** What was found out, and whether the Host Network Service answered. */
interface Gathered {
  readonly facts: Facts;
  readonly hnsAnswers: boolean;
}

/**
 * Looks at everything, each part by itself: what one cannot find out keeps no other from it. `given` is a configuration to look at in
 * the place of the runtime's. Nothing is changed.
 */
export async function gather(session: Session, given: ConfFile | undefined): Promise<Gathered> {
  const { terminal } = session;
  const [account, windows, service, crashes, ports, hcn, adapters, outside] = await Promise.all([
    askAccount(terminal),
    askWindowsVersion(terminal),
    askHnsService(terminal),
    askHnsCrashes(terminal),
    askPorts(terminal),
    askHcn(session),
    askAdapters(session),
    readOutside(session, given),
  ]);
  const { version, inventory, hnsAnswers } = hcn;
  const { executable } = session.system;
  return {
    facts: {
      executable,
      account,
      windows,
      service,
      crashes,
      version,
      inventory,
      adapters,
      ports,
      ...outside,
    },
    hnsAnswers,
  };
}

/** A file that is given in the place of the runtime's. Throws CannotRead. */
export function readGiven(path: string, session: Session): ConfFile {
  return readConfFile(path, session.read(path), session.system.executable);
}

async function askHcn({ system: { loadLibrary, timer, now } }: Session) {
  const limit = newLimit(limitsOf(secondsPerCall), timer, now);
  const hcn = hcnClient(aroundHcnCalls(loadLibrary, hcnWithin(limit)));
  let hnsAnswers = true;
  const noting = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (isHnsUnavailable(error)) hnsAnswers = false;
      throw error;
    }
  };
  const version = await factOf(noting(hcn.version()));
  const inventory = await factOf(noting(takeInventory(hcn)));
  return { version, inventory, hnsAnswers };
}

function askAdapters({ system: { loadIpHelper, timer, now } }: Session) {
  const limit = newLimit(limitsOf(secondsPerCall), timer, now);
  return factOf(aroundIpHelperCalls(loadIpHelper, ipHelperWithin(limit)).readAdapters());
}

/** The runtime's configuration, what it leads to, and who may change any of it. */
async function readOutside(
  session: Session,
  given: ConfFile | undefined,
): Promise<Pick<Facts, 'containerd' | 'configuration' | 'files' | 'above' | 'log'>> {
  const { system, terminal } = session;
  const containerd = await readContainerd(terminal);
  const { folders } = containerd;
  const confFiles = given === undefined ? await readConfFolder(folders.confDir, session) : { known: [given] };
  const first = firstConf({ files: confFiles });
  const programs = locatePrograms(first, folders, system.isFile);
  const { executable } = system;
  const log = logOf(findOwnPlugin(first, { executable, programs, files: notAsked }), system);
  const own = [
    ...folders.binDirs,
    ...Object.values(programs).filter((path) => path !== undefined),
    ...ownFiles(session),
    folders.confDir,
    ...('known' in confFiles && given === undefined ? confFiles.known.map(({ path }) => path) : []),
    ...log.places,
  ];
  const above = [...new Set(own.flatMap(foldersAbove))].filter((path) => !own.includes(path));
  const files = await askFiles(terminal, [...new Set(own), ...above]);
  const plugin = findOwnPlugin(first, { executable, programs, files });
  return {
    containerd,
    configuration: {
      files: confFiles,
      isGiven: given !== undefined,
      programs,
      network: meaningOf(plugin, executable),
    },
    files,
    above,
    log: { ...log, answers: await readLogAnswers(log.path, session) },
  };
}

/** The log's place decides what to ask for. */
const notAsked = { unknown: 'nobody asked' } as const;

/** The exe, its folder, and the addons it has put there. */
function ownFiles({ system: { executable }, terminal }: Session): readonly string[] {
  const folder = folderOf(executable);
  try {
    const addons = terminal
      .listFolder(folder)
      .filter((name) => /^win-hcn-koffi-.*\.node$/.test(nameOf(name)));
    return [folder, executable, ...addons.map((name) => inFolder(folder, name))];
  } catch {
    return [folder, executable];
  }
}
