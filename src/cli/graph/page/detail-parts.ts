import type { Policy } from '../../../hcn/documents.ts';
import { settingsText, shortGuid } from '../../inventory/short-text.ts';
import type { GraphData } from '../graph-data.ts';
import { absenceOf, bareAddresses, purposeOf } from '../labels.ts';
import { element } from './element.ts';
import { keyOf, type Picked } from './picked.ts';
import type { Remedy } from './problems.ts';

/** Names and texts; those that are undefined or empty are left out. */
export function facts(texts: Readonly<Record<string, string | Node | undefined>>): HTMLElement {
  return element(
    'dl',
    {},
    ...Object.entries(texts).flatMap(([name, text]) =>
      text ? [element('dt', {}, name), element('dd', {}, text)] : [],
    ),
  );
}

/** A line that leads to something else on the page. */
export function linkTo(picked: Picked, text: string, note?: Node): HTMLElement {
  return element(
    'li',
    {},
    element('button', { type: 'button', class: 'link', 'data-pick': keyOf(picked) }, text),
    note,
  );
}

export function endpointLink(id: string, graph: GraphData): HTMLElement {
  const endpoint = graph.endpoints.find((one) => one.id === id);
  if (endpoint === undefined)
    return element(
      'li',
      {},
      shortGuid(id),
      element('span', { class: 'problem', 'data-condition': 'error' }, absenceOf(id, graph)),
    );
  const text = `${bareAddresses(endpoint).join(', ') || 'no address'} ${purposeOf(endpoint)}`;
  return linkTo(
    { kind: 'endpoint', id },
    text,
    endpoint.remote ? element('span', { class: 'note' }, 'remote') : undefined,
  );
}

export function list(title: string, lines: readonly HTMLElement[]): readonly Node[] {
  return [
    element('h3', {}, title),
    lines.length === 0 ? element('p', { class: 'none' }, 'none') : element('ul', {}, ...lines),
  ];
}

/** Policies with their settings; nothing where there are none. */
export function policyList(title: string, policies: readonly Policy[]): readonly Node[] {
  if (policies.length === 0) return [];
  const lines = policies.flatMap(({ Type, Settings }) => [
    element('dt', {}, Type),
    element('dd', {}, settingsText(Settings) || '-'),
  ]);
  return [element('h3', {}, title), element('dl', { class: 'policies' }, ...lines)];
}

export function remedyHint({ command, does }: Remedy): HTMLElement {
  return element('p', { class: 'hint remedy' }, element('code', {}, command), ` ${does}`);
}
