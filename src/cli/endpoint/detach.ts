import { detachEndpoint as detach } from '../../commands/namespaces.ts';
import { containersIn, isAttached } from '../../model/readiness.ts';
import { confirm, describeImpact, refusalsWhileRunning } from '../confirm.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { openHcn, readInventory } from '../inventory/read-inventory.ts';
import { printable } from '../printable.ts';
import { resolveEndpoint, resolveNamespace } from '../resolve-object.ts';
import { exitCode, type Session } from '../session.ts';

/** Takes an endpoint out of the namespace it is in, which is the one named where one is. Throws as HCN refuses it. */
export async function detachEndpoint(
  key: string,
  namespaceKey: string | undefined,
  yes: boolean,
  session: Session,
): Promise<void> {
  const inventory = await readInventory(session);
  const endpoint = resolveEndpoint(key, inventory, session);
  const wanted = namespaceKey === undefined ? undefined : resolveNamespace(namespaceKey, inventory, session);
  if (endpoint === undefined || (namespaceKey !== undefined && wanted === undefined)) return;
  const called = `endpoint "${printable(endpoint.Name)}" ${endpoint.ID}`;
  if (!isAttached(endpoint)) return session.print(`${called} is in no namespace already`);
  const id = endpoint.HostComputeNamespace;
  if (wanted !== undefined && wanted.id !== id) {
    session.printStderr(`win-hcn: ${called} is in namespace ${id}, not in ${wanted.id}`);
    return session.setExitCode(exitCode.problemFound);
  }
  const namespace = inventory.namespaces.find(({ ID }) => ID === id);
  const impact = [
    ...describeImpact(endpointRow(endpoint, inventory)),
    'Windows Server 2019 attaches an endpoint only once: there it cannot be attached again.',
    ...refusalsWhileRunning(containersIn(namespace)),
  ];
  const steps = [`detach endpoint ${endpoint.ID} from namespace ${id}`];
  if (!confirm({ steps, impact }, yes, session)) return;
  await detach(endpoint.ID, id, { hcn: openHcn(session.system) });
  session.print(`${called} was detached from namespace ${id}`);
}
