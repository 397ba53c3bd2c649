import type { Policy } from '../../hcn/documents.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { type Difference, differenceOf, none, without } from './difference.ts';

/**
 * What differs between the policies of two endpoints, by their types: of two policies of a type the settings in which they differ, of
 * two lists what only one of them has. The order of policies of different types means nothing.
 */
export function policyDifferences(left: readonly Policy[], right: readonly Policy[]): readonly Difference[] {
  const types = [...left, ...right]
    .map(({ Type }) => Type)
    .filter((type, index, all) => all.findIndex((other) => isPolicyOf(type, { Type: other })) === index);
  return types.flatMap((type) => {
    const [ours, theirs] = [left, right].map((policies) => policies.filter((one) => isPolicyOf(type, one)));
    return differencesOfType(type, ours ?? [], theirs ?? []);
  });
}

function differencesOfType(
  type: string,
  left: readonly Policy[],
  right: readonly Policy[],
): readonly Difference[] {
  const [texts, otherTexts] = [left.map(settingsText), right.map(settingsText)];
  const onlyLeft = pick(left, without(texts, otherTexts));
  const onlyRight = pick(right, without(otherTexts, texts));
  const longer = onlyLeft.length > onlyRight.length ? onlyLeft : onlyRight;
  return longer.flatMap((_, index) => {
    const [ours, theirs] = [onlyLeft[index], onlyRight[index]];
    if (ours !== undefined && theirs !== undefined) return settingDifferences(type, ours, theirs);
    return differenceOf(type, ours ? settingsText(ours) : none, theirs ? settingsText(theirs) : none);
  });
}

/** The policies with these texts, each text once. */
function pick(policies: readonly Policy[], texts: readonly string[]): readonly Policy[] {
  const rest = [...texts];
  return policies.filter((policy) => {
    const index = rest.indexOf(settingsText(policy));
    if (index >= 0) rest.splice(index, 1);
    return index >= 0;
  });
}

function settingDifferences(type: string, left: Policy, right: Policy): readonly Difference[] {
  const keys = new Set([...Object.keys(left.Settings ?? {}), ...Object.keys(right.Settings ?? {})]);
  return [...keys].flatMap((key) => {
    const [ours, theirs] = [left.Settings?.[key], right.Settings?.[key]];
    if (!Array.isArray(ours ?? []) || !Array.isArray(theirs ?? []))
      return differenceOf(`${type} ${key}`, textOf(ours), textOf(theirs));
    const [items, others] = [listOf(ours), listOf(theirs)];
    const [more, otherMore] = [without(items, others).join(', '), without(others, items).join(', ')];
    const rest = (list: readonly string[]) => (list.length === 0 ? none : 'not these');
    return differenceOf(
      `${type} ${key}`,
      more || (otherMore && rest(items)),
      otherMore || (more && rest(others)),
    );
  });
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

/** The settings in one order, as `key=value`. */
function settingsText({ Settings = {} }: Policy): string {
  const members = Object.entries(Settings).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return members.map(([key, value]) => `${key}=${textOf(value)}`).join(' ') || 'no settings';
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
