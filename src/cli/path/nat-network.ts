import { familyOf } from '../../net/address.ts';
import { adapterWith, localEndpoint } from './node-state.ts';
import { chooseRoute, sourceThrough } from './routes.ts';
import { type Context, lost, type Position, type Step, switchHop, unknown } from './step.ts';

type AtSwitch = Extract<Position, { at: 'virtual switch' }>;

/** Forwards a packet on a NAT or ICS network: to a local endpoint, to the node, or outside with the NAT of Windows. */
export function forwardInNat({ network, endpoint, packet }: AtSwitch, { node }: Context): readonly Step[] {
  const hop = (did: string) => switchHop(network, { did, evidence: 'documented', packet });
  const { destination } = packet;
  if (familyOf(destination) === 'IPv6')
    return [
      unknown(hop('may not forward it'), 'Kubernetes documents that NAT networks do not support IPv6.'),
    ];
  const local = localEndpoint(node, destination, [network]);
  if (local !== undefined)
    return [{ hops: [hop('sends it to a local endpoint')], to: { at: 'port in', endpoint: local, packet } }];
  if (endpoint === undefined)
    return [lost(hop('drops it'), `No endpoint of network "${network.Name}" has address ${destination}.`)];
  const own = adapterWith(node, destination);
  if (own !== undefined)
    return [{ hops: [hop('sends it to the node')], to: { at: 'node', packet, received: own.index } }];
  const choice = chooseRoute(node, destination);
  const source = choice.is === 'one' ? sourceThrough(node, choice.route, destination) : undefined;
  if (source === undefined)
    return [
      unknown(hop('translates the source'), `The address of the node towards ${destination} is not known.`),
    ];
  const after = { ...packet, source };
  return [
    {
      hops: [
        switchHop(network, {
          did: `translates the source to ${source}`,
          rule: `NAT of network type ${network.Type}`,
          evidence: 'documented',
          packet: after,
        }),
      ],
      translation: { endpoint: endpoint.ID, by: 'NAT', before: packet, after },
      to: { at: 'adapter', packet: after },
    },
  ];
}
