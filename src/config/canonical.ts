import type { Dns } from '../cni/result.ts';
import { familyOf, parseAddress } from '../net/address.ts';
import { contains, firstHost, formatPrefix, networkOf, parsePrefix } from '../net/prefix.ts';
import type { Acl, PluginConfig, SdnRoute, Subnet } from './generated/plugin-config.ts';
import type { AclConfig, OutboundNatConfig, SdnRouteConfig, SubnetConfig } from './network-config.ts';
import type { Problem } from './problems.ts';

const protocolNumbers: Readonly<Record<string, number>> = { icmpv4: 1, igmp: 2, tcp: 6, udp: 17, icmpv6: 58 };

/** Each reader returns canonical text and adds to `problems` what the schema cannot say. */
export function readSubnet(subnet: Subnet, path: string, problems: Problem[]): SubnetConfig {
  const prefix = parsePrefix(subnet.subnet);
  const network = prefix && networkOf(prefix);
  if (prefix === undefined || network?.address !== prefix.address) {
    const expected = network === undefined ? 'a subnet such as 10.244.1.0/24' : formatPrefix(network);
    problems.push({ kind: 'value', path: `${path}/subnet`, found: subnet.subnet, expected });
    return { prefix: subnet.subnet, gateway: '' };
  }
  const gateway = subnet.gateway === undefined ? firstHost(prefix) : parseAddress(subnet.gateway);
  if (gateway === undefined || !contains(prefix, gateway)) {
    const expected = `an address in ${formatPrefix(prefix)}`;
    problems.push({ kind: 'value', path: `${path}/gateway`, found: subnet.gateway, expected });
  }
  return {
    prefix: formatPrefix(prefix),
    gateway: gateway ?? '',
    ...(subnet.vsid === undefined ? {} : { vsid: subnet.vsid }),
  };
}

export function readNameservers(dns: Dns, path: string, problems: Problem[]): Dns {
  const { nameservers, ...rest } = dns;
  if (nameservers === undefined) return rest;
  const addresses = nameservers.map((server, index) =>
    readAddress(server, `${path}/nameservers/${index}`, problems),
  );
  return { ...rest, nameservers: addresses };
}

export function readAcl(acl: Acl, path: string, problems: Problem[]): AclConfig {
  const { localAddresses, remoteAddresses, localPorts, remotePorts, protocols, ruleType, ...rest } = acl;
  return {
    ...rest,
    ruleType: ruleType ?? 'Switch',
    ...(protocols && {
      protocols: protocols.map((protocol) => protocolNumbers[protocol] ?? Number(protocol)),
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

export function readOutboundNat(
  nat: NonNullable<PluginConfig['outboundNat']>,
  path: string,
  problems: Problem[],
): OutboundNatConfig {
  return {
    exceptions: readPrefixes(nat.exceptions ?? [], `${path}/exceptions`, problems),
    destinations: readPrefixes(nat.destinations ?? [], `${path}/destinations`, problems),
    ...(nat.virtualIP !== undefined && {
      virtualIP: readAddress(nat.virtualIP, `${path}/virtualIP`, problems),
    }),
  };
}

export function readSdnRoute(route: SdnRoute, path: string, problems: Problem[]): SdnRouteConfig {
  return {
    destinationPrefix: withLength(readPrefix(route.destinationPrefix, `${path}/destinationPrefix`, problems)),
    ...(route.nextHop !== undefined && { nextHop: readAddress(route.nextHop, `${path}/nextHop`, problems) }),
    needEncap: route.needEncap ?? false,
  };
}

function readPrefixes(texts: readonly string[], path: string, problems: Problem[]): readonly string[] {
  return texts.map((text, index) => readPrefix(text, `${path}/${index}`, problems));
}

/** An address, or a prefix with its host bits cleared: HNS since Windows Server 2022 refuses host bits. */
function readPrefix(text: string, path: string, problems: Problem[]): string {
  const prefix = parsePrefix(text);
  const canonical = prefix === undefined ? parseAddress(text) : formatPrefix(networkOf(prefix));
  if (canonical === undefined) {
    problems.push({
      kind: 'value',
      path,
      found: text,
      expected: 'an IP address or a prefix such as 10.96.0.0/12',
    });
  }
  return canonical ?? text;
}

/** HNS takes a bare address in lists of addresses, but not as the prefix of a route. */
function withLength(prefix: string): string {
  return prefix.includes('/') ? prefix : `${prefix}/${familyOf(prefix) === 'IPv4' ? 32 : 128}`;
}

function readAddress(text: string, path: string, problems: Problem[]): string {
  const address = parseAddress(text);
  if (address === undefined) problems.push({ kind: 'value', path, found: text, expected: 'an IP address' });
  return address ?? text;
}

function readPorts(
  ports: readonly (string | number)[],
  path: string,
  problems: Problem[],
): readonly string[] {
  return ports.map((port, index) => {
    const [first = 0, last = first] = String(port).split('-').map(Number);
    if (first > last || last > 65535) {
      const expected = 'ports from 1 to 65535, the lower one first';
      problems.push({ kind: 'value', path: `${path}/${index}`, found: port, expected });
    }
    return String(port);
  });
}
