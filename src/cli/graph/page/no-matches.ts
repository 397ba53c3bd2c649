import type { NamespaceRow } from '../../inventory/object-rows.ts';
import { countText, shortGuid } from '../../terminal/short-text.ts';
import { applyFilter, type Condition, countEndpoints, type Filter, matchesAll, wordsIn } from './filter.ts';
import type { PageGraph } from './page-graph.ts';

/** Why a filter shows nothing, in sentences. */
export function noMatchReasons(graph: PageGraph, { search, conditions }: Filter): readonly string[] {
  const find = (text: string) => applyFilter(graph, { search: text, conditions: [] });
  const withoutConditions = countEndpoints(find(search));
  const empty = graph.namespaces.filter(({ endpoints }) => endpoints.length === 0);
  const emptyWith = (text: string) => empty.filter((row) => matchesAll(wordsIn(text), namespaceTexts(row)));
  const words = search.split(/\s+/).filter(Boolean);
  const absent = words.filter((word) => find(word).size === 0 && emptyWith(word).length === 0);
  const matchedNamespaces = emptyWith(search);
  const unreadable = graph.unreadable.length;
  const reasons = [
    ...(withoutConditions > 0
      ? [`${subjectOf(withoutConditions, search)}, but none of them ${anyOf(conditions)}.`]
      : []),
    ...(absent.length > 0 ? [`No object contains ${listOf(absent, 'or')}.`] : []),
    ...(withoutConditions + absent.length + matchedNamespaces.length === 0 && words.length > 1
      ? [`No object contains ${listOf(words, 'and')} together.`]
      : []),
  ];
  return [
    ...(reasons.length + matchedNamespaces.length > 0
      ? reasons
      : [`No endpoint contains "${search.trim()}".`]),
    ...matchedNamespaces.map(({ id }) => `Namespace ${shortGuid(id)} matches, but has no endpoints.`),
    ...(unreadable > 0 ? [`${countText(unreadable, 'object')} could not be read and cannot be found.`] : []),
  ];
}

function namespaceTexts({ id, type, containers, pods = [] }: NamespaceRow): readonly string[] {
  return [id, type, ...containers, ...pods.map(({ pod }) => pod)];
}

function subjectOf(count: number, search: string): string {
  const endpoints = countText(count, 'endpoint');
  return `${endpoints} ${count === 1 ? 'matches' : 'match'} "${search.trim()}"`;
}

const conditionTexts: Readonly<Record<Condition, string>> = {
  error: 'has an error',
  leftover: 'is a leftover',
  remote: 'is remote',
};

function anyOf(conditions: readonly Condition[]): string {
  return conditions.map((condition) => conditionTexts[condition]).join(' or ');
}

function listOf(words: readonly string[], last: 'and' | 'or'): string {
  const quoted = words.map((word) => `"${word}"`);
  return [quoted.slice(0, -1).join(', '), quoted.at(-1)].filter(Boolean).join(` ${last} `);
}
