import type { ObservedNetwork } from '../../../hcn/documents.ts';
import { isOverlay, isPolicyOf, settingsOf, subnetsOf } from '../../../model/network-document.ts';
import { type Check, type Judgement, whenHcnAnswers } from '../finding.ts';
import { quoted } from '../quoted.ts';

/** What Windows takes for a virtual subnet, and the port of VXLAN that it uses unless a network says otherwise. */
const smallestVsid = 4096;
const usualPort = 4789;

/** Whether the nodes of an Overlay network can understand one another: what is wrong there drops packets without a word. */
export const overlay: Check = {
  name: 'VXLAN',
  judge: ({ inventory }) =>
    'unknown' in inventory
      ? []
      : whenHcnAnswers(inventory, ({ networks }) => networks.filter(isOverlay).map(judge)),
};

function judge(network: ObservedNetwork): Judgement {
  const { Name, Policies = [] } = network;
  const see = `win-hcn show network ${quoted(Name)} -o json`;
  const vsids = subnetsOf(network).flatMap((subnet) => idOf(settingsOf(subnet.Policies, 'VSID')));
  const remote = Policies.filter((policy) => isPolicyOf('RemoteSubnetRoute', policy)).flatMap(
    ({ Settings }) => idOf(Settings),
  );
  const port = Number(settingsOf(Policies, 'VxlanPort')?.['Port'] ?? usualPort);
  const seen = `"${Name}": VSID ${vsids.join(', ') || 'none'}, UDP port ${port}`;
  const small = vsids.find((id) => id < smallestVsid);
  if (small !== undefined || vsids.length === 0)
    return {
      verdict: 'FAIL',
      seen: `${seen}; Windows needs a VSID of ${smallestVsid} or more, on every node the same`,
      see,
    };
  const other = remote.find((id) => !vsids.includes(id));
  if (other !== undefined)
    return {
      verdict: 'FAIL',
      seen: `${seen}; routes to other nodes have VSID ${other}, which none of its subnets has`,
      see,
    };
  if (port !== usualPort)
    return {
      verdict: 'WARN',
      seen: `${seen}; every other node must use that port, and most use ${usualPort}`,
      see,
    };
  return { verdict: 'PASS', seen };
}

function idOf(settings: Readonly<Record<string, unknown>> | undefined): readonly number[] {
  const id = settings?.['IsolationId'];
  return id === undefined ? [] : [Number(id)];
}
