/** Something that two endpoints do not have alike. */
export interface Difference {
  readonly what: string;
  readonly left: string;
  readonly right: string;
}

/** What stands for nothing. */
export const none = 'none';

/** The difference of one value, where there is one. */
export function differenceOf(what: string, left: string, right: string): readonly Difference[] {
  return left === right ? [] : [{ what, left: left || none, right: right || none }];
}

/** What each of two lists has more than the other, side by side. */
export function differencesOfLists(
  what: string,
  left: readonly string[],
  right: readonly string[],
): readonly Difference[] {
  const [onlyLeft, onlyRight] = [without(left, right), without(right, left)];
  const longer = onlyLeft.length > onlyRight.length ? onlyLeft : onlyRight;
  return longer.map((_, index) => ({
    what,
    left: onlyLeft[index] ?? none,
    right: onlyRight[index] ?? none,
  }));
}

/** The items of a list that another one does not have, each as often as it has more of it. */
export function without(items: readonly string[], others: readonly string[]): readonly string[] {
  const rest = [...others];
  return items.filter((item) => {
    const index = rest.indexOf(item);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}
