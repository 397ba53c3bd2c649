import { type Dns, isKey, type Policy, withoutKeys } from '../../hcn/documents.ts';

// Single settings of a policy as text. HCN's types vary: numbers may be strings, lists may be comma-separated strings.

import { isObject, type JsonObject } from '../../json/members.ts';
import { protocolName } from '../../net/protocols.ts';
import { natFlags } from '../../plan/policies.ts';
import { type FiveTuple, fiveTuple } from './acl-row.ts';

/** A value in one line; `?` if it is absent. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '?';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The items of a list, or of a comma-separated string; empty without items. */
export function listText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '';
  const items = Array.isArray(value) ? value.map(valueText) : valueText(value).split(',');
  return items.map((item) => item.trim()).join(', ');
}

/** The name of a protocol, given as a number or name. */
export function protocolText(value: unknown): string {
  const number = Number(value ?? 0);
  if (number === 0) return 'any protocol';
  return Number.isInteger(number) ? protocolName(number) : valueText(value).toLowerCase();
}

/** `except to 10.0.0.0/8, 10.96.0.0/12`; empty for an absent value or an empty list. */
export function named(name: string, value: unknown): string {
  const text = listText(value);
  return text === '' ? '' : `${name} ${text}`.trim();
}

/** Joins the texts that are not empty, with commas. */
export function phrases(...texts: readonly (string | false)[]): string {
  return texts.filter((text) => text !== false && text !== '').join(', ');
}

/** The objects in a list. */
export function itemsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The traffic that a setting with the members of a five-tuple matches. */
export function tupleOf(value: unknown): FiveTuple {
  return fiveTuple(isObject(value) ? value : {});
}

/** NatFlags in words: https://learn.microsoft.com/virtualization/api/hcn/hns_schema#NatFlags */
export function flagTexts(flags: unknown): readonly string[] {
  const bits = Number(flags ?? 0);
  const known = Object.entries(natFlagTexts).filter(([bit]) => (bits & Number(bit)) !== 0);
  const rest = known.reduce((left, [bit]) => left - Number(bit), bits);
  return [...known.map(([, text]) => text), ...(rest === 0 ? [] : [`flags ${valueText(flags)}`])];
}

const externalPortReserved = 4;
const natFlagTexts: Readonly<Record<number, string>> = {
  [natFlags.localRoutedVip]: 'also from the node itself',
  [natFlags.ipv6]: 'IPv6',
  [externalPortReserved]: 'port reserved',
};

/** `100 Mbit/s` for 12500000 bytes per second. Never rounded. */
export function bandwidthText(bytesPerSecond: unknown): string {
  const bits = Number(bytesPerSecond) * 8;
  const [size, unit] = bandwidthUnits.find(([least]) => bits >= least) ?? [1, 'bit/s'];
  return Number.isSafeInteger(bits) ? `${bits / size} ${unit}` : `${valueText(bytesPerSecond)} bytes/s`;
}

const bandwidthUnits = [
  [1e9, 'Gbit/s'],
  [1e6, 'Mbit/s'],
  [1e3, 'kbit/s'],
] as const;

/** The exceptions of a proxy. */
export function exceptionsText(value: unknown): string {
  if (!isObject(value)) return '';
  const ports = named('port', value['PortExceptions']);
  return named(
    'except to',
    [listText(value['IpAddressExceptions']), ports].filter((text) => text !== ''),
  );
}

/** An authentication method without its secret. */
export function authenticationText({ Type, Settings }: JsonObject): string {
  const certificate = isObject(Settings) ? Settings['CertificateName'] : undefined;
  if (certificate !== undefined) return `certificate ${valueText(certificate)}`;
  return Type === 'PresharedKey' ? 'preshared key' : valueText(Type);
}

/** Returns settings as `key=value` in one line, without secret keys. */
export function settingsText(settings: NonNullable<Policy['Settings']>): string {
  const shown = (key: string, value: unknown) => {
    if (typeof value !== 'string') return withoutKeys(value);
    return isKey(key) ? '(secret)' : value;
  };
  return Object.entries(settings)
    .map(([key, value]) => `${key}=${shown(key, value)}`)
    .join(' ');
}

/** Returns DNS settings in one line; empty without settings. */
export function dnsText({ ServerList = [], Search = [], Domain, Options = [] }: Dns): string {
  return [
    ...ServerList,
    ...(Domain === undefined ? [] : [`domain ${Domain}`]),
    ...(Search.length === 0 ? [] : [`search ${Search.join(' ')}`]),
    ...(Options.length === 0 ? [] : [`options ${Options.join(' ')}`]),
  ].join(', ');
}
