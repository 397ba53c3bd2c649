import type { GraphData } from '../graph-data.ts';
import { bareAddresses, counted, frontendText, purposeOf } from '../labels.ts';
import type { Picked } from './picked.ts';

export interface Problem {
  readonly of: Picked;
  /** What has it, as people call it. */
  readonly where: string;
  readonly problem: string;
  /** Whether something does not work; otherwise something is left over. */
  readonly wrong: boolean;
}

/** What is wrong with anything on the page; what does not work comes before leftovers. */
export function problemsOf({ networks, endpoints, loadBalancers }: GraphData): readonly Problem[] {
  const ids = new Set(endpoints.map(({ id }) => id));
  const problems: readonly Problem[] = [
    ...networks
      .filter(({ ready }) => !ready)
      .map(({ id, name }) => ({
        of: { kind: 'network', id } as const,
        where: name,
        problem: 'HNS has given it no provider address yet',
        wrong: true,
      })),
    ...endpoints.flatMap((endpoint) => {
      const of = { kind: 'endpoint', id: endpoint.id } as const;
      const where = `${bareAddresses(endpoint).join(', ') || 'no address'} ${purposeOf(endpoint)}`;
      const { health, stale } = endpoint;
      return [
        ...(health === 'ok' ? [] : [{ of, where, problem: health, wrong: true }]),
        ...(stale === undefined ? [] : [{ of, where, problem: `stale: ${stale}`, wrong: false }]),
      ];
    }),
    ...loadBalancers.flatMap(({ id, frontends, backends }) => {
      const gone = backends.filter((backend) => !ids.has(backend.id)).length;
      const about = {
        of: { kind: 'load balancer', id } as const,
        where: frontendText(frontends),
        wrong: true,
      };
      if (backends.length === 0) return [{ ...about, problem: 'no backends' }];
      return gone === 0 ? [] : [{ ...about, problem: `${counted(gone, 'backend')} gone` }];
    }),
  ];
  return [...problems.filter(({ wrong }) => wrong), ...problems.filter(({ wrong }) => !wrong)];
}
