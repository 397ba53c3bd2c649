import { type Dns, isKey, type Policy, withoutKeys } from '../../hcn/documents.ts';

type Settings = NonNullable<Policy['Settings']> | Dns;

/** Returns settings of HCN in one line, as `Protocol=6; Exceptions=10.0.0.0/8, 10.96.0.0/12`. Secret keys and empty values are omitted. */
export function settingsText(settings: Settings = {}): string {
  return Object.entries(settings)
    .map(([key, value]) => [key, itemsOf(key, value).join(', ')])
    .flatMap(([key, text]) => (text === '' ? [] : `${key}=${text}`))
    .join('; ');
}

/** Returns the items of all settings with their keys, without secret keys. Without settings, the only key is empty. */
export function settingItems(settings: Settings = {}): readonly (readonly [key: string, item: string])[] {
  const items = Object.entries(settings).flatMap(([key, value]) =>
    itemsOf(key, value).map((item) => [key, item] as const),
  );
  return items.length === 0 ? [['', 'no settings']] : items;
}

/** Returns data with the members of HCN's documents in camel case, such as `vsid` for `VSID`, and without secret keys. */
export function camelCased(data: object): object {
  const cased = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? value.map(cased) : camelCased(value);
  };
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (head) => head.toLowerCase()),
      isKey(key) && typeof value === 'string' ? '(secret)' : cased(value),
    ]),
  );
}

/** Lists are arrays, or texts with commas. */
function itemsOf(key: string, value: unknown): readonly string[] {
  if (isKey(key)) return ['(secret)'];
  if (Array.isArray(value)) return value.flatMap((item) => itemsOf('', item));
  return typeof value === 'string' ? value.split(',') : [withoutKeys(value)];
}
