import type { Policy } from '../../../hcn/documents.ts';
import { isFailure } from '../../../hcn/hresults.ts';
import { createNetwork, networkDocument, policyRequest, read, settingsIn } from '../fixtures.ts';
import type { Item, Laboratory } from '../laboratory.ts';
import { type Observation, type Row, seen, seenAcceptance } from '../row.ts';

type External = 'L2Bridge' | 'Overlay';
/** `vsid` is that of the policy's network. */
type NewPolicy = (laboratory: Laboratory, vsid: number) => Policy;

/** Whether HNS accepts a network with a policy. */
async function atCreation(
  laboratory: Laboratory,
  type: External,
  newPolicy: NewPolicy,
): Promise<Observation> {
  // HNS could also refuse a network because it has not released the adapter.
  await laboratory.base();
  const subnet = laboratory.newSubnet();
  const document = networkDocument(laboratory.newName(), type, subnet, laboratory.adapter);
  const policy = newPolicy(laboratory, subnet.vsid);
  const policies = Array.isArray(document['Policies']) ? document['Policies'] : [];
  const settings = { ...document, Policies: [...policies, policy] };
  const { hresult, value } = await laboratory.create('Network', settings);
  if (value !== undefined) return seenPolicy(laboratory, value, policy.Type);
  // HNS could also refuse every further network on this adapter.
  await createNetwork(laboratory, {}, type);
  return seenAcceptance(hresult);
}

/** Whether HNS accepts a policy for an existing network. */
async function afterCreation(
  laboratory: Laboratory,
  type: External,
  newPolicy: NewPolicy,
): Promise<Observation> {
  const network = await createNetwork(laboratory, {}, type);
  const policy = newPolicy(laboratory, network.subnet.vsid);
  const { hresult } = await laboratory.modify(network, policyRequest('Add', [policy]));
  return isFailure(hresult) ? seenAcceptance(hresult) : seenPolicy(laboratory, network, policy.Type);
}

/** `accepted`, or `ignored` if the network does not show the policy. */
async function seenPolicy(laboratory: Laboratory, network: Item, type: string): Promise<Observation> {
  const hasPolicy = settingsIn(await read(laboratory, network), type) !== undefined;
  return seen(hasPolicy ? 'accepted' : 'ignored');
}

const hostRoute = () => ({ Type: 'HostRoute', Settings: {} });
const bareHostRoute = () => ({ Type: 'HostRoute' });
const sentAfterwards = 'adds HostRoute with empty Settings after the creation; a refusal is a notice';
const sentAtCreation = 'sends the policy with the creation; a refusal fails ADD';

/** A row about a policy of a type of networks. `add` is `atCreation` or `afterCreation`. */
function policyRow(
  on: External,
  add: typeof atCreation,
  policy: NewPolicy,
  row: Omit<Row, 'experiment'>,
): Row {
  const run = (laboratory: Laboratory) => add(laboratory, on, policy);
  return { ...row, experiment: { on, expected: ['accepted'], run } };
}

/** Policies of networks, at creation and later. */
export const networkPolicyRows: readonly Row[] = [
  policyRow('Overlay', afterCreation, hostRoute, {
    id: 'hostRoute',
    claim: 'HNS adds HostRoute to an existing Overlay network',
    evidence: 'S hcnglobals.go (from 9.2); D (from build 18321)',
    handling: sentAfterwards,
  }),
  policyRow('Overlay', afterCreation, bareHostRoute, {
    id: 'hostRouteWithoutSettings',
    claim: 'HNS adds HostRoute without Settings to an existing Overlay network',
    evidence: 'I: flannel and hns.v2.psm1 send empty Settings',
    handling: sentAfterwards,
  }),
  policyRow('Overlay', atCreation, hostRoute, {
    id: 'hostRouteAtCreation',
    claim: 'HNS accepts a new Overlay network with HostRoute',
    evidence: 'S flannel device_windows.go and hns.v2.psm1 add it afterwards; that HNS accepts it is I',
    handling: sentAfterwards,
  }),
  policyRow('Overlay', atCreation, bareHostRoute, {
    id: 'bareHostRouteAtCreation',
    claim: 'HNS accepts a new Overlay network with HostRoute without Settings',
    evidence: 'I: no known client sends it',
    handling: sentAfterwards,
  }),
  policyRow('Overlay', atCreation, remoteSubnetRoute, {
    id: 'remoteSubnetRouteAtCreation',
    claim: 'HNS accepts a new Overlay network with RemoteSubnetRoute',
    evidence: 'S flannel adds it to an existing network; T hcnnetwork_test.go does too',
    handling: sentAtCreation,
  }),
  policyRow('L2Bridge', atCreation, networkAcl, {
    id: 'networkAclAtCreation',
    claim: 'HNS accepts a new L2Bridge network with NetworkACL',
    evidence: 'T hcnnetwork_test.go adds it to an existing network; S hcnglobals.go (from 15.0)',
    handling: sentAtCreation,
  }),
  policyRow('L2Bridge', atCreation, setPolicy, {
    id: 'setPolicyAtCreation',
    claim: 'HNS accepts a new L2Bridge network with SetPolicy',
    evidence: 'S hns.v2.psm1 and Azure NPM add it to an existing network (from 13.0)',
    handling: sentAtCreation,
  }),
];

function remoteSubnetRoute(laboratory: Laboratory, vsid: number): Policy {
  const { prefix } = laboratory.newSubnet();
  return {
    Type: 'RemoteSubnetRoute',
    Settings: {
      DestinationPrefix: prefix,
      IsolationId: vsid,
      ProviderAddress: laboratory.newSubnet().address(1),
      DistributedRouterMacAddress: '00-15-5D-F0-00-02',
    },
  };
}

function networkAcl(): Policy {
  return {
    Type: 'NetworkACL',
    Settings: { Protocols: '6', Action: 'Allow', Direction: 'Out', RuleType: 'Switch', Priority: 1000 },
  };
}

function setPolicy(laboratory: Laboratory): Policy {
  const Values = laboratory.newSubnet().address(1);
  return { Type: 'SetPolicy', Settings: { Id: 'probe', Name: 'probe', PolicyType: 'IPSET', Values } };
}
