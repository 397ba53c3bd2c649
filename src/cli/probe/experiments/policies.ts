import type { JsonObject } from '../../../json/members.ts';
import { createEndpoint, settingsIn } from '../documents.ts';
import { type Experiment, type Observation, type Row, seen } from '../experiment.ts';

/** Settings of policies that win-hcn sends, without default values. Nothing has these addresses. */
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
  SDNRoute: { DestinationPrefix: '192.0.2.0/24', NextHop: '198.19.0.9', NeedEncap: true },
  QOS: { MaximumOutgoingBandwidthInBytes: 12_500_000 },
  EncapOverhead: { Overhead: 50 },
};

/** The second policies of the same endpoint. */
const second = [
  { Type: 'OutBoundNAT', Settings: { Exceptions: ['172.19.0.0/16'] } },
  { Type: 'ACL', Settings: { ...samples['ACL'], Priority: 200 } },
];

/** How HNS returned the Settings of a policy: the order of members does not count, nor do further policies of the type. */
function seenReturned(sent: JsonObject, returned: readonly JsonObject[]): Observation {
  if (returned.length === 0) return seen('absent');
  const textOf = (settings: JsonObject) => JSON.stringify(Object.entries(settings).toSorted());
  return seen(returned.map(textOf).includes(textOf(sent)) ? 'as sent' : 'changed');
}

/** How HNS returned two policies of a type: it may merge them. */
function seenBoth(document: JsonObject): Observation {
  const returned = settingsIn(document, 'OutBoundNAT').map(({ Exceptions }) => Exceptions);
  if (returned.length === 0) return seen('none');
  if (returned.length > 1) return seen(settingsIn(document, 'ACL').length === 1 ? 'coalesced ACLs' : 'all');
  return seen(Array.isArray(returned[0]) && returned[0].length === 3 ? 'merged' : 'one');
}

/** Policies of endpoints. Private networks have no filter, so what they accept says nothing about L2Bridge. */
export const policyExperiments: readonly Experiment[] = [
  {
    on: 'L2Bridge',
    rows: [
      ...Object.keys(samples).map(
        (type): Row => ({
          id: `returned${type}`,
          on: 'L2Bridge',
          expected: ['as sent'],
          handled: ['changed', 'absent'],
        }),
      ),
      {
        id: 'policiesWrittenBack',
        on: 'L2Bridge',
        expected: ['all'],
        handled: ['merged', 'one', 'none', 'coalesced ACLs'],
      },
    ],
    run: async (context) => {
      const first = Object.entries(samples).map(([Type, Settings]) => ({ Type, Settings }));
      const Policies = [...first, ...second];
      const { document } = await createEndpoint(context, context.network, { Policies });
      const returned = Object.entries(samples).map(([type, settings]) => [
        `returned${type}`,
        seenReturned(settings, settingsIn(document, type)),
      ]);
      return { ...Object.fromEntries(returned), policiesWrittenBack: seenBoth(document) };
    },
  },
];
