import type { Policy } from '../../hcn/documents.ts';
import { isPolicyOf } from '../../model/network-document.ts';

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
        : compareValues(type, one ? formatSettings(one) : none, other ? formatSettings(other) : none),
    );
  });
}

function compareSettings(type: string, left: Policy, right: Policy): readonly Difference[] {
  const keys = new Set([...Object.keys(left.Settings ?? {}), ...Object.keys(right.Settings ?? {})]);
  return [...keys].flatMap((key) => {
    const [ours, theirs] = [left.Settings?.[key], right.Settings?.[key]];
    const what = `${type} ${key}`;
    if (!Array.isArray(ours ?? []) || !Array.isArray(theirs ?? []))
      return compareValues(what, formatValue(ours), formatValue(theirs));
    const [items, otherItems] = [formatItems(ours), formatItems(theirs)];
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
