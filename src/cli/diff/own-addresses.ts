import { familyOf, parseAddress } from '../../net/address.ts';
import { bitsOf } from '../../net/prefix.ts';

/** What stands for an endpoint's own address in what is compared with another endpoint. */
const ownAddress = "the pod's own";

/** A value of a policy with the endpoint's own addresses replaced, by themselves, as prefix or in a comma-separated list. */
export function withoutOwn(value: unknown, own: readonly string[]): unknown {
  if (typeof value === 'string') return textWithoutOwn(value, own);
  if (Array.isArray(value)) return value.map((item) => withoutOwn(item, own));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutOwn(member, own)]));
}

/** The same of a text. */
export function textWithoutOwn(text: string, own: readonly string[]): string {
  return text
    .split(',')
    .map((item) => (isOneOf(own, item.trim()) ? ownAddress : item))
    .join(',');
}

function isOneOf(own: readonly string[], item: string): boolean {
  const [text = '', length] = item.split('/');
  const address = parseAddress(text);
  if (address === undefined || !own.includes(address)) return false;
  return length === undefined || length === String(bitsOf(familyOf(address)));
}
