import { families, familyOf } from '../../net/address.ts';
import { protocolName } from '../../net/protocols.ts';
import { type Acl, aclGroups, anyProtocol, listIn } from './acls.ts';
import type { Check, CheckedConfig, PathDiagnostic } from './checked-config.ts';

type AclCheck = (acl: Acl, config: CheckedConfig) => readonly PathDiagnostic[];

/** Warns about ACLs that match no packet, and about lists that HNS may refuse: docs/notes/acls.md. */
export const warnOfAclMatches: Check = (config) =>
  aclGroups(config.keys)
    .flat()
    .flatMap((acl) => [...portsWithoutProtocol(acl, config), ...mixedFamilies(acl, config)]);

/** TCP, UDP, DCCP, SCTP, UDP-Lite: https://www.iana.org/assignments/protocol-numbers */
const withPorts = ['6', '17', '33', '132', '136'];

/** Ports with protocols that have none. */
const portsWithoutProtocol: AclCheck = ({ settings, pathOf }, { place }) => {
  const protocols = listIn(settings, 'Protocols') ?? [anyProtocol];
  const without = protocols.filter((protocol) => ![...withPorts, anyProtocol].includes(protocol));
  if (without.length === 0) return [];
  const names = without.map((protocol) => protocolName(Number(protocol))).join(' and ');
  const have = without.length === 1 ? `${names} has` : `${names} have`;
  const remedy =
    without.length === protocols.length
      ? 'remove the ports'
      : `use a separate rule without ports for ${names}`;
  return ['LocalPorts', 'RemotePorts'].flatMap((list) => {
    if (listIn(settings, list) === undefined) return [];
    const path = place(pathOf(list));
    return [{ path, text: `${path} is set, but ${have} no ports; HNS may refuse or ignore them: ${remedy}` }];
  });
};

/**
 * Addresses of both families. HNS refused such a list of remote addresses with ERROR_BUFFER_OVERFLOW on Windows Server 2022
 * (AppMana/forks-calico-windows-ipv6, docs/windows-dual-stack.md). Whether every HNS does is unknown.
 */
const mixedFamilies: AclCheck = ({ path: aclPath, settings, pathOf }, { place }) => {
  const lists = ['LocalAddresses', 'RemoteAddresses'].map((list) => ({
    path: place(pathOf(list)),
    families: families.filter((family) => listIn(settings, list)?.some((text) => familyOf(text) === family)),
  }));
  const mixed = lists.filter((list) => list.families.length > 1);
  if (mixed.length > 0)
    return mixed.map(({ path }) => ({
      path,
      text: `${path} has IPv4 and IPv6 addresses, which HNS may refuse: use a separate rule for each family`,
    }));
  const [[local] = [], [remote] = []] = lists.map((list) => list.families);
  if (local === undefined || remote === undefined || local === remote) return [];
  const path = place(aclPath);
  return [
    {
      path,
      text: `${path} matches no traffic: its local addresses are ${local}, its remote addresses ${remote}`,
    },
  ];
};
