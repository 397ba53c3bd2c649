import type { GraphData, GraphEndpoint } from '../graph-data.ts';
import { absenceOf, bareAddresses, counted, frontendText, purposeOf } from '../labels.ts';
import type { Picked } from './picked.ts';

/** Something that some things have in common, and what to do about it. */
export interface Problem {
  readonly problem: string;
  /** Whether something does not work; otherwise something is left over. */
  readonly wrong: boolean;
  readonly remedy?: Remedy;
  readonly places: readonly Place[];
}

/** A command, and what it does. */
export interface Remedy {
  readonly command: string;
  readonly does: string;
}

interface Place {
  readonly of: Picked;
  /** What people call it. */
  readonly where: string;
}

type Found = Omit<Problem, 'places'> & Place;

/** What is wrong with anything on the page; what does not work comes before leftovers. */
export function problemsOf(graph: GraphData): readonly Problem[] {
  const found: readonly Found[] = [
    ...networkProblems(graph),
    ...graph.endpoints.flatMap(endpointProblems),
    ...loadBalancerProblems(graph),
  ];
  const groups = new Map<string, Problem>();
  for (const { of, where, ...problem } of found) {
    const key = `${problem.problem} ${problem.remedy?.command}`;
    const others = groups.get(key)?.places ?? [];
    groups.set(key, { ...problem, places: [...others, { of, where }] });
  }
  return [...groups.values()].sort((a, b) => Number(b.wrong) - Number(a.wrong));
}

/** Where gc deletes a stale endpoint; absent of a remote one that win-hcn did not make. */
export function staleRemedy({ owner }: GraphEndpoint): Remedy | undefined {
  const does = 'shows what it would delete.';
  if (owner === 'win-hcn') return { command: 'win-hcn gc', does };
  return owner === 'another plugin' ? { command: 'win-hcn gc --other-plugins', does } : undefined;
}

/** So that those with another remedy are not taken for the same. */
function whose({ owner }: GraphEndpoint): string {
  return owner === 'win-hcn' ? '' : `, owner: ${owner}`;
}

/** What explains an error of HNS. */
export function healthRemedy({ health }: GraphEndpoint): Remedy {
  return { command: `win-hcn explain ${health}`, does: 'says what to do.' };
}

/** Says of a load balancer's backend whether HCN has no such endpoint. */
export function goneFrom(graph: GraphData): (backend: { readonly id: string }) => boolean {
  const ids = new Set(graph.endpoints.map((endpoint) => endpoint.id));
  return ({ id }) => !ids.has(id) && absenceOf(id, graph) === 'gone';
}

function networkProblems({ networks }: GraphData): readonly Found[] {
  return networks
    .filter(({ ready }) => !ready)
    .map(({ id, name }) => ({
      of: { kind: 'network', id },
      where: name,
      problem: 'HNS has given it no provider address yet',
      wrong: true,
    }));
}

function endpointProblems(endpoint: GraphEndpoint): readonly Found[] {
  const { id, health, stale } = endpoint;
  const where = `${bareAddresses(endpoint).join(', ') || 'no address'} ${purposeOf(endpoint)}`;
  const place: Place = { of: { kind: 'endpoint', id }, where };
  const remedy = staleRemedy(endpoint);
  return [
    ...(health === 'ok'
      ? []
      : [{ ...place, problem: `HNS reports ${health}`, wrong: true, remedy: healthRemedy(endpoint) }]),
    ...(stale === undefined
      ? []
      : [
          { ...place, problem: `stale: ${stale}${whose(endpoint)}`, wrong: false, ...(remedy && { remedy }) },
        ]),
  ];
}

function loadBalancerProblems(graph: GraphData): readonly Found[] {
  const isGone = goneFrom(graph);
  return graph.loadBalancers.flatMap(({ id, frontends, backends }) => {
    const place: Place = { of: { kind: 'load balancer', id }, where: frontendText(frontends) };
    const gone = backends.filter(isGone).length;
    if (backends.length === 0) return [{ ...place, problem: 'no backends', wrong: true }];
    return gone === 0 ? [] : [{ ...place, problem: `${counted(gone, 'backend')} gone`, wrong: true }];
  });
}
