import { isFailure } from '../../../hcn/hresults.ts';
import type { JsonObject } from '../../../json/members.ts';
import {
  policiesOf,
  seenPolicy,
  seenRefusal,
  seenReturned,
  settingsOfType,
  tryPolicies,
} from '../policy-experiments.ts';
import { type Ground, NotTried, type Observation, type Row, seen, symbolOf } from '../row.ts';

/** Policy types that only networks of one type have, or that use the node's ports. */
const grounds: Readonly<Record<string, Ground>> = { PortMapping: 'NAT', ProviderAddress: 'Overlay' };

const aNotice = 'if HNS does not return it, ADD logs a notice and CHECK fails';
const handling: Readonly<Record<string, string>> = {
  ACL: 'if HNS returns fewer ACLs than were sent, ADD and CHECK fail',
  OutBoundNAT:
    'if HNS does not return one, ADD logs a notice; CHECK compares the combined lists of all policies',
  EncapOverhead: 'if HNS does not return it, ADD logs a notice and CHECK passes',
};

/** Settings of each endpoint policy type, without default values. Nothing has these addresses and names. */
const samples: Readonly<Record<string, JsonObject>> = {
  ACL: {
    Protocols: '6,17',
    LocalAddresses: '198.19.0.8',
    RemoteAddresses: '198.19.0.0/16,192.0.2.7',
    LocalPorts: '80,8080-8090',
    RemotePorts: '1024-65535',
    Priority: 100,
    Action: 'Block',
    Direction: 'Out',
    RuleType: 'Switch',
  },
  OutBoundNAT: { Exceptions: ['172.17.0.0/16', '172.18.0.0/16'] },
  PortMapping: { Protocol: 6, InternalPort: 80, ExternalPort: 47_114 },
  SDNRoute: { DestinationPrefix: '192.0.2.0/24', NextHop: '198.19.0.9', NeedEncap: true },
  QOS: { MaximumOutgoingBandwidthInBytes: 12_500_000 },
  EncapOverhead: { Overhead: 50 },
  ProviderAddress: { ProviderAddress: '198.19.0.9' },
  PortName: { Name: 'win-hcn-probe' },
  L2Driver: {},
  VLAN: { IsolationId: 100 },
  InterfaceParameters: { Mtu: 1400 },
  InterfaceConstraint: { InterfaceMediaType: 6 },
  Iov: { IovOffloadWeight: 100, QueuePairsRequested: 2, InterruptModeration: 100 },
  L4Proxy: {
    IP: '192.0.2.0/24',
    Port: '80',
    Protocol: 6,
    ExceptionList: ['192.0.2.7'],
    Destination: '198.19.0.9',
    OutboundNat: true,
  },
  L4WFPPROXY: {
    InboundProxyPort: '15003',
    OutboundProxyPort: '15001',
    FilterTuple: { Protocols: '6', RemoteAddresses: '192.0.2.0/24', RemotePorts: '80', Priority: 2 },
    UserSID: 'S-1-5-32-556',
    InboundExceptions: { IpAddressExceptions: ['192.0.2.7'], PortExceptions: ['22'] },
  },
  TierAcl: {
    Name: 'probe',
    Direction: 'In',
    Order: 1,
    TierAclRules: [{ Protocols: '6', LocalPorts: '80', Priority: 1, TierAclRuleAction: 'Pass' }],
  },
};

const returned = Object.entries(samples).map(
  ([Type, Settings]): Row => ({
    id: `returned${Type}`,
    claim: `HNS returns an endpoint's ${Type} policy as it was sent`,
    evidence: Type === 'EncapOverhead' ? 'O AKS#1367: a plain member of V1' : 'I',
    handling: handling[Type] ?? aNotice,
    experiment: {
      on: grounds[Type] ?? 'base',
      expected: ['as sent'],
      run: async (laboratory) => {
        const policies = await policiesOf(laboratory, await tryPolicies(laboratory, { Type, Settings }));
        return seenReturned(Settings, settingsOfType(policies, Type));
      },
    },
  }),
);

/** The two forms of a Firewall policy's members; the first member identifies the form. */
const firewallForms: readonly JsonObject[] = [
  { VmCreatorId: '7e5b1c3a-2d94-4f60-8a17-c3f05b9e6d21', PolicyFlags: 1 },
  { VmType: 'WSL', FirewallPolicyFlags: 1 },
];

/** Policies of endpoints as HNS returns them. */
export const returnedPolicyRows: readonly Row[] = [
  ...returned,
  {
    id: 'returnedEncryption',
    claim: "HNS returns an endpoint's Encryption policy as it was sent",
    evidence: 'I',
    handling: aNotice,
    experiment: { impossible: "would change the node's IPsec rules" },
  },
  {
    id: 'deviceIds',
    claim: 'The device IDs of a VmNic policy are GUIDs',
    evidence: 'S hns.v2.psm1; that HNS requires them I',
    handling: 'accepts any string',
    experiment: { impossible: 'needs a VM with a virtual function of an adapter' },
  },
  {
    id: 'firewallMembers',
    claim: 'HNS accepts and returns both forms of the members of a Firewall policy',
    evidence: 'S hns.v2.psm1 (VmCreatorId, PolicyFlags), D HNS_Schema.md (VmType, FirewallPolicyFlags)',
    handling: 'accepts both forms and sends them unchanged',
    experiment: {
      on: 'base',
      expected: ['both'],
      run: async (laboratory) => {
        const answers: (readonly [form: string, hresult: number])[] = [];
        const known: string[] = [];
        for (const Settings of firewallForms) {
          const [form = ''] = Object.keys(Settings);
          const answer = await tryPolicies(laboratory, { Type: 'Firewall', Settings });
          answers.push([form, answer.hresult]);
          if (isFailure(answer.hresult)) continue;
          const policies = settingsOfType(await policiesOf(laboratory, answer), 'Firewall');
          if (policies.some((settings) => form in settings)) known.push(form);
        }
        const detail = answers.map(([form, hresult]) => `${form}: ${symbolOf(hresult)}`).join(', ');
        if (answers.every(([, hresult]) => isFailure(hresult)))
          throw new NotTried(`HNS refuses every Firewall policy: ${detail}`);
        const [one = 'none', other] = known;
        return seen(other === undefined ? one : 'both', detail);
      },
    },
  },
  {
    id: 'interfaceLuid',
    claim: 'HNS returns an interface LUID above 2^53 as it was sent',
    evidence: 'I',
    handling: 'sends its exact digits',
    experiment: {
      on: 'base',
      expected: ['as sent'],
      run: async (laboratory) => {
        // Interface type 71, index 7.
        const Settings = { InterfaceLuid: 71 * 2 ** 48 + 7 * 2 ** 24 };
        const policy = { Type: 'InterfaceConstraint', Settings };
        const policies = await policiesOf(laboratory, await tryPolicies(laboratory, policy));
        return seenReturned(Settings, settingsOfType(policies, policy.Type));
      },
    },
  },
  {
    id: 'policyTypeCase',
    claim: 'HNS accepts a policy type in any case, and returns its official spelling',
    evidence: 'S calico sends SDNROUTE; the returned spelling is I',
    handling: 'sends the official spelling, and compares types case-insensitively',
    experiment: {
      on: 'base',
      expected: ['official'],
      run: async (laboratory) => {
        const [given, official] = ['qos', 'QOS'];
        const Settings = { MaximumOutgoingBandwidthInBytes: 12_500_000 };
        const answer = await tryPolicies(laboratory, { Type: given, Settings });
        if (isFailure(answer.hresult))
          return seenRefusal(laboratory, answer.hresult, [{ Type: official, Settings }]);
        const types = (await policiesOf(laboratory, answer)).map(({ Type }) => String(Type));
        return seenSpelling(
          types.find((type) => type.toLowerCase() === given),
          given,
          official,
        );
      },
    },
  },
  {
    id: 'policyValueCase',
    claim: 'HNS accepts the Action of an ACL in any case, and returns its official spelling',
    evidence: 'I',
    handling: 'sends the official spelling, and compares values case-insensitively',
    experiment: {
      on: 'base',
      expected: ['official'],
      run: (laboratory) => {
        const acl = (Action: string) => ({ Type: 'ACL', Settings: { ...samples['ACL'], Action } });
        return seenPolicy(laboratory, acl('block'), [acl('Block')], ([returned]) =>
          seenSpelling(returned?.['Action'], 'block', 'Block'),
        );
      },
    },
  },
];

function seenSpelling(returned: unknown, given: string, official: string): Observation {
  if (returned === official) return seen('official');
  if (returned === given) return seen('as sent');
  return returned === undefined ? seen('absent') : seen('changed', `returned ${returned}`);
}
