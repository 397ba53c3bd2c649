import { parseNamespaceId } from '../../cni/request.ts';
import * as namespaces from '../../commands/namespaces.ts';
import { selectHostNamespace } from '../../model/ownership.ts';
import { confirmChange, describeImpact, openContext, refusalsWhileRunning } from '../change.ts';
import { endpointRows } from '../inventory/endpoint-row.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { resolveNamespace } from '../resolve-object.ts';
import { exitCode, type Session } from '../session.ts';

/** Creates a namespace with this id or a new one, and prints only its id on stdout. */
export async function createNamespace(given: string | undefined, session: Session): Promise<void> {
  const id = parseNamespaceId(given ?? session.terminal.newGuid());
  if (id === undefined) {
    session.printStderr(`win-hcn: --id ${given} is not a GUID`);
    return session.setExitCode(exitCode.wrongUsage);
  }
  const isNew = await namespaces.createNamespace(id, openContext(session.system));
  if (!isNew) session.printStderr(`win-hcn: namespace ${id} exists already; nothing was changed`);
  session.print(id);
}

/** Deletes a namespace other than the host namespace. Throws HCN's refusal while a container runs in it. */
export async function deleteNamespace(key: string, yes: boolean, session: Session): Promise<void> {
  const inventory = await readInventory(session);
  const namespace = resolveNamespace(key, inventory, session);
  if (namespace === undefined) return;
  const { id, containers } = namespace;
  if (id === selectHostNamespace(inventory.namespaces)?.ID) {
    session.printStderr(`win-hcn: namespace ${id} is the host namespace and is not deleted`);
    return session.setExitCode(exitCode.problemFound);
  }
  const endpoints = endpointRows(inventory).filter((row) => row.namespace === id);
  const impact = [
    ...endpoints.flatMap((row) => [
      ...describeImpact(row),
      `Endpoint "${row.name}" (${row.id}) remains, in no namespace.`,
    ]),
    ...refusalsWhileRunning(containers),
  ];
  const done = await confirmChange(
    (context) => namespaces.deleteNamespace(id, context),
    { impact },
    yes,
    session,
  );
  if (done !== undefined) session.print(`namespace ${id} ${done.result ? 'was deleted' : 'is gone already'}`);
}
