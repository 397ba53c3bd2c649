import type { Policy } from '../../../hcn/documents.ts';
import type { JsonObject } from '../../../json/members.ts';
import { natFlags } from '../../../plan/policies.ts';
import { createNetwork } from '../fixtures.ts';
import type { Laboratory, Network } from '../laboratory.ts';
import { policiesOf, seenPolicy, settingsOfType, tryPolicies } from '../policy-experiments.ts';
import { type Row, seen } from '../row.ts';

const needsTraffic = 'needs pod traffic';

function outboundNat(Exceptions?: readonly string[]): Policy {
  return { Type: 'OutBoundNAT', Settings: { ...(Exceptions && { Exceptions }) } };
}

function portMapping(Flags?: number): Policy {
  const Settings = { Protocol: 6, InternalPort: 80, ExternalPort: 47_113, ...(Flags && { Flags }) };
  return { Type: 'PortMapping', Settings };
}

/** Address translation: outbound NAT, port mappings and load balancers. */
export const natRows: readonly Row[] = [
  {
    id: 'hostBitsInExceptions',
    claim: 'HNS refuses an OutBoundNAT exception with host bits, such as 172.17.0.1/16',
    evidence: 'O hcsshim#1951 (WS2022 refuses it, WS2019 accepts it)',
    handling: 'clears host bits',
    experiment: {
      on: 'base',
      expected: ['refused'],
      run: (laboratory) =>
        seenPolicy(laboratory, outboundNat(['172.17.0.1/16']), [outboundNat(['172.17.0.0/16'])]),
    },
  },
  {
    id: 'mixedExceptions',
    claim: 'HNS refuses an OutBoundNAT policy with exceptions of both families',
    evidence:
      "O AgentBaker#3049, S windows-container-networking's examples have a policy per family; the code I",
    handling: 'sends one policy per family',
    experiment: {
      on: 'base',
      expected: ['refused'],
      run: (laboratory) => {
        const [ipv4, ipv6] = ['172.17.0.0/16', 'fd00::/8'];
        const usual = [outboundNat([ipv4]), outboundNat([ipv6])];
        return seenPolicy(laboratory, outboundNat([ipv4, ipv6]), usual);
      },
    },
  },
  {
    id: 'ipv6PortMapping',
    claim: 'HNS accepts a port mapping with the flag IPv6 on a dual-stack L2Bridge network',
    evidence: 'D HNS_Schema.md NatFlags',
    handling: 'sends one policy per family: docs/notes/port-mappings.md',
    experiment: {
      on: 'L2Bridge',
      expected: ['accepted'],
      run: async (laboratory) => {
        const network = await createDualStackNetwork(laboratory);
        const base = () => Promise.resolve(network);
        return seenPolicy({ ...laboratory, base }, portMapping(natFlags.ipv6), [portMapping()]);
      },
    },
  },
  {
    id: 'ipv6PortMappingEffect',
    claim: 'IPv6 port mappings work',
    evidence:
      'O microsoft/hcsshim#2590, Azure/azure-container-networking#2879: HNS accepts the policy without effect; both are open',
    handling: '`doctor` reports UNKNOWN for IPv6 subnets with the capability portMappings',
    experiment: { impossible: needsTraffic },
  },
  {
    id: 'policiesWrittenBack',
    claim: 'HNS returns both of two OutBoundNAT policies of an endpoint, unmerged',
    evidence: 'I',
    handling:
      'if HNS does not return one, ADD logs a notice; CHECK compares the combined lists of all policies',
    experiment: {
      on: 'base',
      expected: ['all'],
      run: async (laboratory) => {
        const sent = [outboundNat(['172.17.0.0/16']), outboundNat(['172.18.0.0/16', '172.19.0.0/16'])];
        const policies = await policiesOf(laboratory, await tryPolicies(laboratory, ...sent));
        const returned = settingsOfType(policies, 'OutBoundNAT');
        const lists = returned.map((settings) => exceptionsIn([settings]).toSorted().join());
        const detail = `returned ${JSON.stringify(returned)}`;
        if (returned.length === 1) return seen(lists[0]?.split(',').length === 3 ? 'merged' : 'one', detail);
        const isKept = sent.every(({ Settings = {} }) => lists.includes(exceptionsIn([Settings]).join()));
        return seen(isKept ? 'all' : 'changed', detail);
      },
    },
  },
  {
    id: 'addedExceptions',
    claim: 'HNS adds no exceptions to an OutBoundNAT policy',
    evidence: 'I',
    handling: "`explain-nat` treats the pod's own subnet as an exception, as reported",
    experiment: {
      on: 'base',
      expected: ['none'],
      run: async (laboratory) => {
        const added: string[] = [];
        for (const sent of [undefined, ['172.17.0.0/16']]) {
          const policies = await policiesOf(laboratory, await tryPolicies(laboratory, outboundNat(sent)));
          const returned = settingsOfType(policies, 'OutBoundNAT');
          if (returned.length === 0) return seen('absent');
          added.push(...exceptionsIn(returned).filter((exception) => !sent?.includes(exception)));
        }
        return added.length === 0 ? seen('none') : seen('added', added.join(', '));
      },
    },
  },
  {
    id: 'combinedOutboundNat',
    claim:
      'The Destinations of an OutBoundNAT policy take precedence over the Exceptions of other OutBoundNAT policies',
    evidence: 'S loopbackDSR and win-bridge rely on it',
    handling: '`explain-nat`: an exception of any policy without destinations applies to all',
    experiment: { impossible: needsTraffic },
  },
  {
    id: 'natOfBackends',
    claim: 'OutBoundNAT matches the frontend address of a load balancer, not its backends',
    evidence: 'I',
    handling: '`explain-nat` reports if the results for the load balancer and its backend differ',
    experiment: { impossible: needsTraffic },
  },
  {
    id: 'sourceBehindLoadBalancer',
    claim:
      "Without direct server return, a load balancer's source VIP, otherwise a node address, becomes the source",
    evidence:
      "D Kubernetes' page on Windows networking; O k8s#137455 (on later builds of Windows Server 2019 to the frontend address)",
    handling: '`explain-nat` applies no OutBoundNAT policy then, and is uncertain without a source VIP',
    experiment: { impossible: needsTraffic },
  },
  {
    id: 'natWithoutIPv6Flag',
    claim: 'OutBoundNAT translates IPv6 only with the flag IPv6, and only protocols that have ports',
    evidence: 'I',
    handling: '`explain-nat` reports the result as uncertain',
    experiment: { impossible: needsTraffic },
  },
  {
    id: 'loadBalancerScope',
    claim: 'A load balancer applies to the network of its backends only',
    evidence: 'I',
    handling: '`explain-nat` is certain only for the network of its backends',
    experiment: { impossible: needsTraffic },
  },
];

function exceptionsIn(settings: readonly JsonObject[]): readonly string[] {
  return settings.flatMap(({ Exceptions }) => (Array.isArray(Exceptions) ? Exceptions.map(String) : []));
}

/** An L2Bridge network with a subnet of each family; the IPv6 prefix is reserved for tests of devices (RFC 5180). */
async function createDualStackNetwork(laboratory: Laboratory): Promise<Network> {
  const subnet = laboratory.newSubnet();
  const routed = (IpAddressPrefix: string, NextHop: string, DestinationPrefix: string) => ({
    IpAddressPrefix,
    Routes: [{ NextHop, DestinationPrefix }],
  });
  const Subnets = [
    routed(subnet.prefix, subnet.gateway, '0.0.0.0/0'),
    routed('2001:2:0:1::/64', '2001:2:0:1::1', '::/0'),
  ];
  return createNetwork(laboratory, { Ipams: [{ Type: 'Static', Subnets }] }, 'L2Bridge');
}
