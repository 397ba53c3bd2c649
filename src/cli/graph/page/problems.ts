import type { LoadBalancerRow } from '../../inventory/object-rows.ts';
import { countText } from '../../terminal/short-text.ts';
import type { GraphEndpoint } from '../graph-data.ts';
import { endpointTexts } from './endpoint-name.ts';
import type { ObjectRef } from './links.ts';
import type { PageGraph } from './page-graph.ts';
import { absenceOf } from './presentation.ts';

export interface Problem {
  readonly title: string;
  /** `error`: something does not work; `leftover`: an endpoint that nothing uses. */
  readonly condition: 'error' | 'leftover';
  readonly fix?: Fix;
  readonly objects: readonly LabeledRef[];
}

export interface Fix {
  readonly command: string;
  readonly effect: string;
}

interface LabeledRef {
  readonly ref: ObjectRef;
  readonly label: string;
  /** Such as an address. */
  readonly note?: string;
}

type Finding = Omit<Problem, 'objects'> & LabeledRef;

/** The problems of all objects on the page, grouped by title and fix. Errors come before leftovers. */
export function findProblems(graph: PageGraph): readonly Problem[] {
  const findings: readonly Finding[] = [
    ...networkProblems(graph),
    ...graph.endpoints.flatMap(endpointProblems),
    ...loadBalancerProblems(graph),
  ];
  const groups = new Map<string, Problem>();
  for (const { ref, label, note, ...problem } of findings) {
    const key = `${problem.title} ${problem.fix?.command}`;
    const others = groups.get(key)?.objects ?? [];
    groups.set(key, { ...problem, objects: [...others, { ref, label, ...(note && { note }) }] });
  }
  const rank = ({ condition }: Problem) => (condition === 'error' ? 0 : 1);
  return [...groups.values()].sort((a, b) => rank(a) - rank(b));
}

/** The command that deletes a leftover endpoint; undefined if gc keeps endpoints of its owner. */
export function leftoverFix({ owner }: GraphEndpoint): Fix | undefined {
  const effect = 'lists what it would delete.';
  if (owner === 'win-hcn') return { command: 'win-hcn gc', effect };
  return owner === 'another plugin' ? { command: 'win-hcn gc --other-plugins', effect } : undefined;
}

/** The command that explains an error of HNS. */
export function healthFix({ health }: GraphEndpoint): Fix {
  return { command: `win-hcn explain ${health}`, effect: 'explains this error.' };
}

/** Returns a function that counts the backends of a load balancer that no longer exist. */
export function goneBackendCounter(graph: PageGraph): (loadBalancer: LoadBalancerRow) => number {
  const ids = new Set(graph.endpoints.map((endpoint) => endpoint.id));
  return ({ backends }) =>
    backends.filter(({ id }) => !ids.has(id) && absenceOf(id, graph) === 'gone').length;
}

function networkProblems({ networks }: PageGraph): readonly Finding[] {
  return networks
    .filter(({ ready }) => !ready)
    .map(({ id, name }) =>
      finding(
        { ref: { kind: 'network', id }, label: name },
        'error',
        'not ready: no provider address from HNS yet',
      ),
    );
}

function endpointProblems(endpoint: GraphEndpoint): readonly Finding[] {
  const { id, health, stale, owner } = endpoint;
  const { name, place } = endpointTexts(endpoint);
  const labeled: LabeledRef = { ref: { kind: 'endpoint', id }, label: name, note: place };
  // Leftovers of other owners have a different fix, and therefore a different title.
  const title = `leftover: ${stale}${owner === 'win-hcn' ? '' : ` (owner: ${owner})`}`;
  return [
    ...(health === 'ok' ? [] : [finding(labeled, 'error', `HNS reports ${health}`, healthFix(endpoint))]),
    ...(stale === undefined ? [] : [finding(labeled, 'leftover', title, leftoverFix(endpoint))]),
  ];
}

function loadBalancerProblems(graph: PageGraph): readonly Finding[] {
  const countGone = goneBackendCounter(graph);
  return graph.loadBalancers.flatMap((row) => {
    const gone = countGone(row);
    if (row.backends.length > 0 && gone === 0) return [];
    const title = row.backends.length === 0 ? 'no backends' : `${countText(gone, 'backend')} gone`;
    return [finding({ ref: { kind: 'load balancer', id: row.id }, label: row.title }, 'error', title)];
  });
}

function finding(labeled: LabeledRef, condition: Problem['condition'], title: string, fix?: Fix): Finding {
  return { ...labeled, condition, title, ...(fix && { fix }) };
}
