// The settings of policies in words: https://learn.microsoft.com/virtualization/api/hcn/hns_schema
// HCN's types vary: numbers may be strings, lists may be comma-separated strings.

import { type Dns, isKey, type Policy, withoutKeys } from '../../hcn/documents.ts';
import { formatPort } from '../../net/address.ts';
import { protocolName } from '../../net/protocols.ts';
import { natFlags } from '../../plan/policies.ts';

type Settings = NonNullable<Policy['Settings']>;

/**
 * Returns the settings of a policy in words, such as `tcp 8080 -> 80 (node)`. Settings that have no words here follow as `key=value`, so
 * nothing that HCN returned is left out, except secret keys. Without settings and words: `no settings`.
 */
export function policyText({ Type, Settings = {} }: Policy): string {
  const [text, rest] = words.get(Type.toLowerCase())?.(Settings) ?? ['', Settings];
  const others = Object.entries(rest).map(([key, value]) => `${key}=${itemsOf(key, value).join(',')}`);
  return [text, ...others].filter((part) => part !== '').join(' ') || 'no settings';
}

/** Returns the items of all settings of a policy with their keys, without secret keys. A policy without settings has one empty key. */
export function settingItems({ Settings = {} }: Policy): readonly (readonly [key: string, item: string])[] {
  const items = Object.entries(Settings).flatMap(([key, value]) =>
    itemsOf(key, value).map((item) => [key, item] as const),
  );
  return items.length === 0 ? [['', 'no settings']] : items;
}

function itemsOf(key: string, value: unknown): readonly string[] {
  if (isKey(key)) return ['(secret)'];
  if (Array.isArray(value)) return value.flatMap((item) => itemsOf('', item));
  return typeof value === 'string' ? value.split(',') : [withoutKeys(value)];
}

/** A value in one line; `?` if it is absent. */
function valueText(value: unknown): string {
  const text = itemsOf('', value ?? '').join(', ');
  return text === '' ? '?' : text;
}

/** `except to 10.0.0.0/8, 10.96.0.0/12`; empty for an absent value or an empty list. */
function named(name: string, value: unknown): string {
  const text = valueText(value);
  return text === '?' ? '' : `${name} ${text}`;
}

/** Joins the texts that are not empty, with commas. */
function phrases(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(', ');
}

/** The name of a protocol, given as a number or name. */
export function protocolText(value: unknown): string {
  const number = Number(value ?? 0);
  if (number === 0) return 'any protocol';
  return Number.isInteger(number) ? protocolName(number) : valueText(value).toLowerCase();
}

/** NatFlags in words: https://learn.microsoft.com/virtualization/api/hcn/hns_schema#NatFlags */
function flagsText(flags: unknown): string {
  const bits = Number(flags ?? 0);
  return phrases(
    (bits & natFlags.localRoutedVip) === 0 ? '' : 'also from the node itself',
    bits > natFlags.localRoutedVip + natFlags.ipv6 ? `flags ${bits}` : '',
  );
}

/** Returns words for the usual settings of a policy type, and its other settings. */
type Words = (settings: Settings) => readonly [text: string, rest: Settings];

const words: ReadonlyMap<string, Words> = new Map<string, Words>([
  [
    'portmapping',
    ({ Protocol, InternalPort, ExternalPort, VIP, Flags, ...rest }) => {
      const port = valueText(ExternalPort);
      const outside = VIP ? formatPort(valueText(VIP), port) : port;
      const inside = `${valueText(InternalPort)}${VIP ? '' : ' (node)'}`;
      return [phrases(`${protocolText(Protocol)} ${outside} -> ${inside}`, flagsText(Flags)), rest];
    },
  ],
  [
    'outboundnat',
    ({ VirtualIP, Destinations, Exceptions, Flags, ...rest }) => {
      const address = VirtualIP ? `leaves as ${VirtualIP}` : 'leaves as a node address';
      const exceptions = named('except to', Exceptions);
      return [phrases(address, named('only to', Destinations), exceptions, flagsText(Flags)), rest];
    },
  ],
  [
    'sdnroute',
    ({ DestinationPrefix, NextHop, NeedEncap, ...rest }) => {
      const route = [valueText(DestinationPrefix), named('via', NextHop)].join(' ').trim();
      return [phrases(route, NeedEncap === true ? 'encapsulated' : 'not encapsulated'), rest];
    },
  ],
  [
    'qos',
    ({ MaximumOutgoingBandwidthInBytes: bytes, ...rest }) => [
      bytes ? `sends at most ${(Number(bytes) * 8) / 1e6} Mbit/s` : 'no limit',
      rest,
    ],
  ],
  [
    'remotesubnetroute',
    ({ DestinationPrefix, ProviderAddress, ...rest }) => [
      `${valueText(DestinationPrefix)} on node ${valueText(ProviderAddress)}`,
      rest,
    ],
  ],
]);

/** Returns DNS settings in one line; empty without settings. */
export function dnsText({ ServerList = [], Search = [], Domain = '', Options = [] }: Dns): string {
  return phrases(
    ...ServerList,
    named('domain', Domain),
    Search.length === 0 ? '' : `search ${Search.join(' ')}`,
    Options.length === 0 ? '' : `options ${Options.join(' ')}`,
  );
}
