import type { Policy } from '../../hcn/documents.ts';
import { isPolicyOf } from '../../model/network-document.ts';
import { policyText } from '../inventory/policy-text.ts';

export interface Difference {
  readonly what: string;
  readonly left: string;
  readonly right: string;
}

/** The text for an absent value. */
export const none = 'none';

/** The difference between two values; empty if they are equal. */
export function compareValues(what: string, left: string, right: string): readonly Difference[] {
  return left === right ? [] : [{ what, left: left || none, right: right || none }];
}

/** The items that only one of two lists contains, side by side. The order is irrelevant. */
export function compareLists(
  what: string,
  left: readonly string[],
  right: readonly string[],
): readonly Difference[] {
  const [onlyLeft, onlyRight] = [subtract(left, right, String), subtract(right, left, String)];
  return pairUp(onlyLeft, onlyRight).map(([one = none, other = none]) => ({ what, left: one, right: other }));
}

/**
 * The differences between the policies of two endpoints, by type: between two policies of a type the settings that differ, between two
 * lists the items that only one contains. The order of policies is irrelevant.
 */
export function comparePolicies(left: readonly Policy[], right: readonly Policy[]): readonly Difference[] {
  const types = [...left, ...right]
    .map(({ Type }) => Type)
    .filter((type, index, all) => all.findIndex((other) => isPolicyOf(type, { Type: other })) === index);
  return types.flatMap((type) => {
    const ofType = (policies: readonly Policy[]) => policies.filter((policy) => isPolicyOf(type, policy));
    const [ours, theirs] = [ofType(left), ofType(right)];
    const unmatched = pairUp(subtract(ours, theirs, formatSettings), subtract(theirs, ours, formatSettings));
    return unmatched.flatMap(([one, other]) =>
      one !== undefined && other !== undefined
        ? compareSettings(type, one, other)
        : compareValues(type, one ? policyText(one) : none, other ? policyText(other) : none),
    );
  });
}

/** The differences of two policies of a type: one in words for all settings but lists, and one for each list. */
function compareSettings(type: string, left: Policy, right: Policy): readonly Difference[] {
  const keys = new Set([...Object.keys(left.Settings ?? {}), ...Object.keys(right.Settings ?? {})]);
  const lists = [...keys].filter((key) =>
    [left, right].every(({ Settings }) => isPlainList(Settings?.[key] ?? [])),
  );
  return [
    ...compareRest(type, withoutSettings(left, lists), withoutSettings(right, lists)),
    ...compareListSettings(type, left, right, lists),
  ];
}

function compareRest(type: string, left: Policy, right: Policy): readonly Difference[] {
  if (formatSettings(left) === formatSettings(right)) return [];
  const [ours, theirs] = [policyText(left), policyText(right)];
  return ours === theirs
    ? compareValues(type, formatSettings(left), formatSettings(right))
    : compareValues(type, ours, theirs);
}

function withoutSettings({ Type, Settings = {} }: Policy, keys: readonly string[]): Policy {
  return {
    Type,
    Settings: Object.fromEntries(Object.entries(Settings).filter(([key]) => !keys.includes(key))),
  };
}

function compareListSettings(
  type: string,
  left: Policy,
  right: Policy,
  keys: readonly string[],
): readonly Difference[] {
  return keys.flatMap((key) => {
    const what = `${type} ${key}`;
    const [items, otherItems] = [formatItems(left.Settings?.[key]), formatItems(right.Settings?.[key])];
    const onlyLeft = subtract(items, otherItems, String).join(', ');
    const onlyRight = subtract(otherItems, items, String).join(', ');
    const without = (list: readonly string[]) => (list.length === 0 ? none : 'missing');
    return compareValues(
      what,
      onlyLeft || (onlyRight && without(items)),
      onlyRight || (onlyLeft && without(otherItems)),
    );
  });
}

/** Whether the items of a list can stand for themselves, as addresses and ports do. */
function isPlainList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item !== 'object');
}

/** The items of a list without those of another with the same text. Repeated items count. */
function subtract<T>(items: readonly T[], others: readonly T[], textOf: (item: T) => string): readonly T[] {
  const rest = others.map(textOf);
  return items.filter((item) => {
    const index = rest.indexOf(textOf(item));
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}

/** The items of two lists by position; undefined where one list is shorter. */
function pairUp<T>(
  left: readonly T[],
  right: readonly T[],
): readonly (readonly [T | undefined, T | undefined])[] {
  const longer = left.length > right.length ? left : right;
  return longer.map((_, index) => [left[index], right[index]]);
}

/** `key=value` for each setting, sorted. */
function formatSettings({ Settings = {} }: Policy): string {
  const members = Object.entries(Settings).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return members.map(([key, value]) => `${key}=${formatValue(value)}`).join(' ') || 'no settings';
}

function formatItems(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(formatValue) : [];
}

function formatValue(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
