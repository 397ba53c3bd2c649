import type { JsonObject } from '../../json/members.ts';
import { garbageOn } from '../../model/garbage.ts';
import { confirm, describeImpact } from '../confirm.ts';
import { endpointRow } from '../inventory/endpoint-row.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { titleOf } from '../plan/step-title.ts';
import { openPlugin } from '../plugin-config.ts';
import type { Session } from '../session.ts';
import type { ValidAttachment } from './plugin-input.ts';

/** Shows what GC would delete with these attachments valid, and deletes nothing. Throws as GC does for a configuration. */
export async function showGc(
  given: JsonObject,
  valid: readonly ValidAttachment[],
  session: Session,
): Promise<void> {
  const { config, ipam } = openPlugin(given, session.system);
  const { name: network, behavior } = config;
  const attachments = valid.map(({ containerID: containerId, ifname }) => ({ containerId, ifname, network }));
  const inventory = await readInventory(session);
  const id = inventory.networks.find(({ Name }) => Name === network)?.ID;
  const endpoints = inventory.endpoints.filter(({ HostComputeNetwork }) => HostComputeNetwork === id);
  const ids = endpoints.map(({ ID }) => ID);
  const { candidates, isGarbage } = garbageOn(network, attachments, behavior, ids);
  const rows = endpoints
    .filter((endpoint) => candidates.includes(endpoint.ID) && isGarbage(endpoint))
    .map((endpoint) => endpointRow(endpoint, inventory))
    .filter((row) => row.owner !== 'node');
  const steps = rows.map(({ id, namespace }) => titleOf({ do: 'delete endpoint', id, namespace }));
  const impact = [
    ...(rows.length === 0 ? ['There is no endpoint to delete.'] : rows.flatMap(describeImpact)),
    ...(ipam === undefined ? [] : [`The IPAM plugin ${ipam} frees every address but those of --keep.`]),
  ];
  confirm({ steps, impact }, false, session);
}
