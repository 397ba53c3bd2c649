// The building blocks of the page.

import type { Policy } from '../../../hcn/documents.ts';
import { policyText } from '../../inventory/policy-text.ts';
import { shortGuid } from '../../terminal/short-text.ts';
import { endpointTexts } from './endpoint-name.ts';
import { keyOf, type ObjectRef } from './links.ts';
import type { PageGraph } from './page-graph.ts';
import { absenceOf } from './presentation.ts';
import type { Fix } from './problems.ts';

/** Creates an element with attributes, or with a class. Undefined values are left out; strings become text, never HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: string | Readonly<Record<string, string | undefined>>,
  ...children: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  const named = typeof attributes === 'string' ? { class: attributes || undefined } : attributes;
  for (const [name, value] of Object.entries(named))
    if (value !== undefined) created.setAttribute(name, value);
  created.append(...children.filter((child) => child !== undefined));
  return created;
}

/** A list of names with values, without empty values. */
export function facts(values: Readonly<Record<string, string | Node | undefined>>): HTMLElement {
  return element(
    'dl',
    '',
    ...Object.entries(values).flatMap(([name, value]) =>
      value ? [element('dt', '', name), element('dd', '', value)] : [],
    ),
  );
}

/** The button that stands for an object on the page and selects it. */
export function objectButton(
  ref: ObjectRef,
  attributes: Readonly<Record<string, string | undefined>>,
  ...children: readonly (HTMLElement | string | undefined)[]
): HTMLElement {
  const key = keyOf(ref);
  const common = { type: 'button', 'aria-pressed': 'false', 'data-select': key, 'data-object': key };
  return element('button', { ...common, ...attributes }, ...children);
}

/** A button that selects another object. */
export function linkButton(ref: ObjectRef, text: string): HTMLElement {
  return element('button', { type: 'button', class: 'link', 'data-select': keyOf(ref) }, text);
}

/** A list item that selects another object. */
export function linkItem(ref: ObjectRef, text: string, note?: string): HTMLElement {
  return element('li', '', linkButton(ref, text), note ? element('span', 'note', note) : undefined);
}

/** A list item for an endpoint by id, whether or not the graph contains it, with its state if it is unusual. */
export function endpointItem(id: string, graph: PageGraph, state = 'Attached'): HTMLElement {
  const endpoint = graph.endpoints.find((one) => one.id === id);
  if (endpoint === undefined)
    return element(
      'li',
      '',
      element('code', '', shortGuid(id)),
      element('span', { class: 'problem', 'data-condition': 'error' }, absenceOf(id, graph)),
    );
  const { name, place } = endpointTexts(endpoint);
  const isUsual = ['Attached', 'AttachedSharing', 'remote'].includes(state);
  return linkItem({ kind: 'endpoint', id }, name, isUsual ? place : `${place} (${state})`);
}

/** A text that may be wrapped after each `/`, `-` and `]`. */
export function breakable(text: string): readonly (string | HTMLElement)[] {
  const parts = text.match(/[^/\-\]]+[/\-\]]*|[/\-\]]+/g) ?? [];
  return parts.flatMap((part, index) => (index === 0 ? [part] : [element('wbr', ''), part]));
}

/** A number that shows how many of a total a filter leaves: `107`, or `9 of 107`. */
export function countOf(total: number): HTMLElement {
  return element('span', { class: 'count', 'data-total': String(total) }, String(total));
}

/** A title with a list, or `none`. */
export function titledList(title: string, items: readonly HTMLElement[]): readonly Node[] {
  return [
    element('h3', '', title),
    items.length === 0 ? element('p', 'none', 'none') : element('ul', '', ...items),
  ];
}

/** Policies in words; empty without policies. */
export function policyList(title: string, policies: readonly Policy[]): readonly Node[] {
  if (policies.length === 0) return [];
  const items = policies.flatMap((policy) => [
    element('dt', '', policy.Type),
    element('dd', '', policyText(policy)),
  ]);
  return [element('h3', '', title), element('dl', 'policies', ...items)];
}

/** A command, and its effect. */
export function fixText({ command, effect }: Fix): readonly (Node | string)[] {
  return [element('code', '', command), ` ${effect}`];
}
