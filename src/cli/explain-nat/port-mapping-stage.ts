import { protocolName } from '../../net/protocols.ts';
import { policiesOf, type Question, type Stage } from './question.ts';

/** The node's ports that lead to the pod: what answers their connections goes back by them, and what the pod begins does not. */
export function portMappingStage({ endpoint }: Question): Stage {
  const lines = policiesOf('PortMapping', endpoint).map(({ place, settings }) => {
    const { Protocol, InternalPort, ExternalPort, VIP } = settings;
    const node = VIP ? `port ${ExternalPort} of ${VIP}` : `the node's port ${ExternalPort}`;
    return {
      stage: 'PortMapping',
      line: `${place}: ${node} to the pod's ${InternalPort}/${protocolName(Number(Protocol))}`,
      matches: 'no' as const,
      decides: 'no' as const,
      because: 'it is for what comes in, and its answers',
    };
  });
  return { says: [], lines };
}
