import { isSamePacket, packetText } from '../../src/cli/traffic/packet.ts';
import type { Hop } from '../../src/cli/traffic/path.ts';
import type { Journey, Leg, Way } from './judge.ts';

/** A journey as text: what became of it, then each hop there and back of its worst way. */
export function journeyText({ first, ways, worst, outcome }: Journey, from: string, to: string): string {
  const verb = { arrives: 'reaches', lost: 'does not reach', unknown: 'may not reach' }[outcome];
  const which = ways.length === 1 ? '' : ` (one of ${ways.length} ways)`;
  return [
    `${from} ${verb} ${to}${which}: ${endText(worst)}`,
    `packet: ${packetText(first)}`,
    'there:',
    ...worst.there.flatMap(legLines),
    ...(worst.back.length === 0 ? [] : ['back:', ...worst.back.flatMap(legLines)]),
  ].join('\n');
}

function endText({ outcome, at, on, because }: Way): string {
  return outcome === 'arrives' ? because : `${outcome} on ${on}, at ${at}. ${because}`;
}

function legLines({ node, path }: Leg): readonly string[] {
  return path.hops.map(
    (hop, index) => `  ${node}: ${hopText(hop)}${packetChange(hop, path.hops[index - 1])}`,
  );
}

function hopText({ place, name, did, rule }: Hop): string {
  return `${place} ${name} ${did}${rule === undefined ? '' : `: ${rule}`}`;
}

/** The packet, if the hop before had another one. */
function packetChange({ packet, tunnel }: Hop, before: Hop | undefined): string {
  const isSame = before !== undefined && isSamePacket(packet, before.packet);
  const outer =
    tunnel === undefined || before?.tunnel !== undefined
      ? ''
      : ` in VXLAN ${tunnel.source} -> ${tunnel.destination}, VSID ${tunnel.vsid}, MAC ${tunnel.macAddress}`;
  return isSame && outer === '' ? '' : `, as ${packetText(packet)}${outer}`;
}
