import { type EndpointRow, endpointRows } from '../../inventory/endpoint-row.ts';
import { shortContainer, shortGuid } from '../../inventory/short-text.ts';
import { type Check, type Judgement, someOf, whenHcnAnswers } from '../finding.ts';

/** Leftovers, whose addresses the next pods may get: what `ls` calls stale. */
export const staleEndpoints: Check = {
  name: 'stale endpoints',
  judge: ({ inventory }) =>
    whenHcnAnswers(inventory, (known) => [
      judgeStale(endpointRows(known).filter(({ stale }) => stale !== undefined)),
    ]),
};

function judgeStale(stale: readonly EndpointRow[]): Judgement {
  if (stale.length === 0) return { verdict: 'PASS', seen: 'none' };
  const count = stale.length === 1 ? '1 leftover' : `${stale.length} leftovers`;
  const what = stale.map((row) => `${describe(row)}, ${row.stale}`);
  const isOurs = stale.some(({ owner }) => owner === 'win-hcn');
  return {
    verdict: 'WARN',
    seen: `${count}: ${someOf(what, '; ')}`,
    ...(isOurs && { fix: 'win-hcn gc --yes' }),
    see: 'win-hcn gc',
  };
}

/** Endpoints that HNS could not program: their pods have no network, or not all of it. */
export const endpointHealth: Check = {
  name: 'endpoint health',
  judge: ({ inventory }) =>
    whenHcnAnswers(inventory, (known) => {
      const rows = endpointRows(known);
      const sick = rows.filter(({ health, state }) => health !== 'ok' || state === 'Degraded');
      const [first] = sick;
      if (first === undefined) return [{ verdict: 'PASS', seen: `none is degraded, of ${rows.length}` }];
      const what = sick.map((row) => `${describe(row)} is ${row.state}, health ${row.health}`);
      return [{ verdict: 'FAIL', seen: someOf(what, '; '), see: `win-hcn show endpoint ${first.id}` }];
    }),
};

function describe({ id, container }: EndpointRow): string {
  return container === undefined
    ? shortGuid(id)
    : `${shortGuid(id)} (container ${shortContainer(container)})`;
}
