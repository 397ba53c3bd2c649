import type { Session } from '../session.ts';
import { askAccount } from './collectors/account.ts';
import { askAdapters, askHcn } from './collectors/hcn.ts';
import { askHnsCrashes } from './collectors/hns-crashes.ts';
import { askHnsService } from './collectors/hns-service.ts';
import { askPorts } from './collectors/ports.ts';
import { readRuntime } from './collectors/runtime.ts';
import { askWindowsVersion } from './collectors/windows-version.ts';
import { type ConfFile, readConfFile } from './containerd/conf-file.ts';
import type { Facts } from './facts.ts';

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
  const { terminal, system } = session;
  const [account, windows, service, crashes, ports, hcn, adapters, runtime] = await Promise.all([
    askAccount(terminal),
    askWindowsVersion(terminal),
    askHnsService(terminal),
    askHnsCrashes(terminal),
    askPorts(terminal),
    askHcn(system),
    askAdapters(system),
    readRuntime(session, given),
  ]);
  const { hnsAnswers, ...ofHcn } = hcn;
  const { executable } = system;
  const facts = { executable, account, windows, service, crashes, ports, adapters, ...ofHcn, ...runtime };
  return { facts, hnsAnswers };
}

/** A file that is given in the place of the runtime's. Throws ReadError. */
export function readGiven(path: string, session: Session): ConfFile {
  return readConfFile(path, session.read(path), session.system.executable);
}
