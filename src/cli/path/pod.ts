import { isAttached } from '../../model/readiness.ts';
import { describeLocalDelivery } from '../traffic/destination.ts';
import { podRoute } from '../traffic/pod-routes.ts';
import { type Context, lost, type Position, podHop, type Step } from './step.ts';

/** A pod sends a packet, as its own routes say. */
export function leavePod(
  { endpoint, packet }: Extract<Position, { at: 'pod' }>,
  context: Context,
): readonly Step[] {
  const { destination } = packet;
  const hop = (did: string, rule?: string) =>
    podHop(endpoint, context, { did, ...(rule !== undefined && { rule }), evidence: 'documented', packet });
  const within = describeLocalDelivery(destination, [packet.source]);
  if (within !== undefined)
    return [
      {
        hops: [hop('delivers it to itself')],
        to: {
          at: 'end',
          outcome: 'arrives',
          receiver: { is: 'pod', endpoint: endpoint.ID },
          because: within,
          packet,
        },
      },
    ];
  if (!isAttached(endpoint))
    return [lost(hop('cannot send'), 'The endpoint is in no namespace: no pod uses it.')];
  const route = podRoute(endpoint, destination);
  if (route === undefined) return [lost(hop('drops it'), `The pod has no route to ${destination}.`)];
  const { nextHop = destination, line } = route;
  return [
    {
      hops: [
        hop(
          nextHop === destination ? 'sends it on-link' : `sends it to next hop ${nextHop}`,
          `route ${line}`,
        ),
      ],
      to: { at: 'port out', endpoint, packet, nextHop },
    },
  ];
}
