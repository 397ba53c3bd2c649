import { type EndpointRow, endpointRows } from '../../inventory/endpoint-row.ts';
import { countText, firstFew, shortContainer, shortGuid } from '../../terminal/short-text.ts';
import { type Check, fail, pass, warn, withHcnValue } from '../check.ts';
import { objectKey } from '../object-keys.ts';

/** Finds leftovers, the endpoints that `ls` shows as stale: the next pods may get their addresses. */
export const staleEndpoints: Check = {
  name: 'leftover endpoints',
  diagnose: ({ inventory }) =>
    withHcnValue(inventory, (objects) => {
      const stale = endpointRows(objects).filter((row) => row.stale !== undefined);
      if (stale.length === 0) return [pass('none')];
      const described = stale.map((row) => `${describeEndpoint(row)}, ${row.stale}`);
      const ours = stale.filter(({ owner }) => owner === 'win-hcn').length;
      const isPartial = ours > 0 && ours < stale.length;
      const scope = isPartial ? `; the fix deletes only those of win-hcn (${ours} of ${stale.length})` : '';
      const isOthers = stale.some(({ owner }) => owner === 'another plugin');
      // Deleting endpoints of another plugin is the user's decision, after a dry run.
      const commands = {
        ...(ours > 0 && { fix: 'win-hcn gc --yes' }),
        see: isOthers ? 'win-hcn gc --other-plugins' : 'win-hcn gc',
      };
      const seen = `${countText(stale.length, 'leftover')}: ${firstFew(described, '; ')}${scope}`;
      return [warn(seen, commands)];
    }),
};

/** Finds endpoints that HNS could not program: their pods have no network, or a partial one. */
export const endpointHealth: Check = {
  name: 'endpoint health',
  diagnose: ({ inventory }) =>
    withHcnValue(inventory, (objects) => {
      const rows = endpointRows(objects);
      const degraded = rows.filter(({ health, state }) => health !== 'ok' || state === 'Degraded');
      const [first] = degraded;
      if (first === undefined) return [pass(`0 of ${rows.length} degraded`)];
      const described = degraded.map(
        (row) => `${describeEndpoint(row)} is ${row.state}, health ${row.health}`,
      );
      return [
        fail(firstFew(described, '; '), {
          see: `win-hcn show endpoint ${objectKey(first.id, objects.endpoints)}`,
        }),
      ];
    }),
};

/** Names an endpoint by its short id, and its pod or else its container if known. */
export function describeEndpoint({ id, pod, container }: EndpointRow): string {
  if (pod !== undefined) return `${shortGuid(id)} (pod ${pod})`;
  return container === undefined
    ? shortGuid(id)
    : `${shortGuid(id)} (container ${shortContainer(container)})`;
}
