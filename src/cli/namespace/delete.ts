import { deleteNamespace as deleteIt } from '../../commands/namespaces.ts';
import { selectHostNamespace } from '../../model/ownership.ts';
import { confirm, describeImpact, refusalsWhileRunning } from '../confirm.ts';
import { endpointRows } from '../inventory/endpoint-row.ts';
import { openHcn, readInventory } from '../inventory/read-inventory.ts';
import { resolveNamespace } from '../resolve-object.ts';
import { exitCode, type Session } from '../session.ts';

/** Deletes a namespace other than the node's own. Throws as HCN refuses it while a container runs in it. */
export async function deleteNamespace(key: string, yes: boolean, session: Session): Promise<void> {
  const inventory = await readInventory(session);
  const namespace = resolveNamespace(key, inventory, session);
  if (namespace === undefined) return;
  const { id, containers } = namespace;
  if (id === selectHostNamespace(inventory.namespaces)?.ID) {
    session.printStderr(`win-hcn: namespace ${id} is the node's own, and stays`);
    return session.setExitCode(exitCode.problemFound);
  }
  const endpoints = endpointRows(inventory).filter((row) => row.namespace === id);
  const impact = [
    ...endpoints.flatMap((row) => [...describeImpact(row), `Endpoint ${row.id} stays, in no namespace.`]),
    ...refusalsWhileRunning(containers),
  ];
  if (!confirm({ steps: [`delete namespace ${id}`], impact }, yes, session)) return;
  const deleted = await deleteIt(id, { hcn: openHcn(session.system) });
  session.print(`namespace ${id} ${deleted ? 'was deleted' : 'is gone already'}`);
}
