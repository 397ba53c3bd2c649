import { parseNamespaceId } from '../../cni/request.ts';
import { createNamespace as create } from '../../commands/namespaces.ts';
import { openHcn } from '../inventory/read-inventory.ts';
import { exitCode, type Session } from '../session.ts';

/** Makes a namespace, of this id or of a new one, and prints nothing but its id. */
export async function createNamespace(given: string | undefined, session: Session): Promise<void> {
  const id = parseNamespaceId(given ?? session.terminal.newGuid());
  if (id === undefined) {
    session.printStderr(`win-hcn: --id ${given} is no GUID`);
    return session.setExitCode(exitCode.wrongUsage);
  }
  const isNew = await create(id, { hcn: openHcn(session.system) });
  if (!isNew) session.printStderr(`win-hcn: namespace ${id} exists already, and stays as it is`);
  session.print(id);
}
