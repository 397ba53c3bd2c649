// Each reader returns canonical text and adds to `problems` what the schema cannot say.
import type { Dns } from '../cni/result.ts';
import { parseAddress } from '../net/address.ts';
import { canonicalPrefix, withLength } from '../net/prefix.ts';
import { protocolNumbers } from '../net/protocols.ts';
import type { Acl, PluginConfig, SdnRoute } from './generated/plugin-config.ts';
import type { AclConfig, OutboundNatConfig, SdnRouteConfig } from './network-config.ts';
import type { Problems } from './problems.ts';

export function readNameservers(dns: Dns, path: string, problems: Problems): Dns {
  const { nameservers, ...rest } = dns;
  if (nameservers === undefined) return rest;
  const addresses = nameservers.map((server, index) =>
    readAddress(server, `${path}/nameservers/${index}`, problems),
  );
  return { ...rest, nameservers: addresses };
}

export function readAcl(acl: Acl, path: string, problems: Problems): AclConfig {
  const { localAddresses, remoteAddresses, localPorts, remotePorts, protocols, priority, ruleType, ...rest } =
    acl;
  return {
    ...rest,
    priority: priority ?? 1000,
    ruleType: ruleType ?? 'Switch',
    ...(protocols && {
      protocols: protocols.map((protocol) =>
        typeof protocol === 'number' ? protocol : protocolNumbers[protocol],
      ),
    }),
    ...(localAddresses && {
      localAddresses: readPrefixes(localAddresses, `${path}/localAddresses`, problems),
    }),
    ...(remoteAddresses && {
      remoteAddresses: readPrefixes(remoteAddresses, `${path}/remoteAddresses`, problems),
    }),
    ...(localPorts && { localPorts: readPorts(localPorts, `${path}/localPorts`, problems) }),
    ...(remotePorts && { remotePorts: readPorts(remotePorts, `${path}/remotePorts`, problems) }),
  };
}

/** `ipMasq` is the short form, `ipMasqNetwork` an exception of either. */
export function readOutboundNat(config: PluginConfig, problems: Problems): OutboundNatConfig | undefined {
  const nat = config.outboundNat ?? (config.ipMasq ? {} : undefined);
  if (nat === undefined) return undefined;
  const path = '/outboundNat';
  const cluster =
    config.ipMasqNetwork === undefined ? [] : [readPrefix(config.ipMasqNetwork, '/ipMasqNetwork', problems)];
  return {
    exceptions: [...readPrefixes(nat.exceptions ?? [], `${path}/exceptions`, problems), ...cluster],
    destinations: readPrefixes(nat.destinations ?? [], `${path}/destinations`, problems),
    ...(nat.virtualIP !== undefined && {
      virtualIP: readAddress(nat.virtualIP, `${path}/virtualIP`, problems),
    }),
    ...(nat.maxPortPoolUsage !== undefined && { maxPortPoolUsage: nat.maxPortPoolUsage }),
  };
}

/** HNS takes a bare address in lists of addresses, but not as the prefix of a route. */
export function readSdnRoute(route: SdnRoute, path: string, problems: Problems): SdnRouteConfig {
  return {
    destinationPrefix: withLength(readPrefix(route.destinationPrefix, `${path}/destinationPrefix`, problems)),
    ...(route.nextHop !== undefined && { nextHop: readAddress(route.nextHop, `${path}/nextHop`, problems) }),
    needEncap: route.needEncap ?? false,
  };
}

function readPrefixes(texts: readonly string[], path: string, problems: Problems): readonly string[] {
  return texts.map((text, index) => readPrefix(text, `${path}/${index}`, problems));
}

/** An address, or a prefix with its host bits cleared: HNS since Windows Server 2022 refuses host bits. */
function readPrefix(text: string, path: string, problems: Problems): string {
  const canonical = canonicalPrefix(text);
  if (canonical === undefined) {
    problems.value(path, text, 'an IP address or a prefix such as 10.96.0.0/12');
  }
  return canonical ?? text;
}

/** An IP address in canonical text. */
export function readAddress(value: unknown, path: string, problems: Problems): string {
  const address = typeof value === 'string' ? parseAddress(value) : undefined;
  if (address === undefined) problems.value(path, value, 'an IP address');
  return address ?? '';
}

function readPorts(ports: readonly (string | number)[], path: string, problems: Problems): readonly string[] {
  return ports.map((port, index) => {
    const [first = 0, last = first] = String(port).split('-').map(Number);
    if (first > last || last > 65535) {
      const expected = 'ports from 1 to 65535, the lower one first';
      problems.value(`${path}/${index}`, port, expected);
    }
    return String(port);
  });
}
