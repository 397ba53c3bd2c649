import type { Policy } from '../../hcn/documents.ts';
import { protocolName } from '../../net/protocols.ts';

/** The traffic that a policy matches. Each member is a comma-separated list, or `any`. */
export interface FiveTuple {
  readonly protocols: string;
  readonly localAddresses: string;
  readonly localPorts: string;
  readonly remoteAddresses: string;
  readonly remotePorts: string;
}

/** Reads these members of a policy's settings, with protocol names for numbers. https://learn.microsoft.com/virtualization/api/hcn/hns_schema#FiveTuple */
export function fiveTuple(settings: NonNullable<Policy['Settings']>): FiveTuple {
  const text = (key: string) => String(settings[key] || 'any');
  return {
    protocols: text('Protocols').replaceAll(/\d+/g, (number) => protocolName(Number(number))),
    localAddresses: text('LocalAddresses'),
    localPorts: text('LocalPorts'),
    remoteAddresses: text('RemoteAddresses'),
    remotePorts: text('RemotePorts'),
  };
}

/** Returns the matched traffic in a few words. */
export function describeTuple({
  protocols,
  localAddresses,
  localPorts,
  remoteAddresses,
  remotePorts,
}: FiveTuple): string {
  const named = {
    local: localAddresses,
    'local port': localPorts,
    remote: remoteAddresses,
    'remote port': remotePorts,
  };
  const parts = Object.entries(named).flatMap(([name, list]) => (list === 'any' ? [] : `${name} ${list}`));
  const protocol = protocols === 'any' ? 'any protocol' : protocols;
  return parts.length === 0 && protocols === 'any' ? 'everything' : [protocol, ...parts].join(', ');
}
