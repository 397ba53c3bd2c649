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

/** Lists are arrays, or texts with commas. */
function itemsOf(key: string, value: unknown): readonly string[] {
  if (isKey(key)) return ['(secret)'];
  if (Array.isArray(value)) return value.flatMap((item) => itemsOf('', item));
  return typeof value === 'string' ? value.split(',') : [withoutKeys(value)];
}
