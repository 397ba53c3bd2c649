import { expect, test } from 'vitest';
import { packetText, replyTo } from '../../../../src/cli/path/packet.ts';
import { type Outcome, worstPath } from '../../../../src/cli/path/path.ts';

test.each<[string, readonly Outcome[], Outcome]>([
  ['lost, if one of them is', ['arrives', 'unknown', 'lost', 'leaves'], 'lost'],
  ['unknown, if one of them is and none is lost', ['arrives', 'leaves', 'unknown'], 'unknown'],
  ['leaving, if one of them leaves and the others arrive', ['arrives', 'leaves'], 'leaves'],
  ['arriving, if all arrive', ['arrives', 'arrives'], 'arrives'],
])('of several paths, the worst is %s', (_, outcomes, expected) => {
  expect(worstPath(outcomes.map((outcome) => ({ outcome })))?.outcome).toBe(expected);
});

test('a reply has the addresses and ports of the packet, exchanged', () => {
  const packet = {
    source: '10.0.0.1',
    destination: 'fd00::2',
    protocol: 17,
    sourcePort: 1,
    destinationPort: 53,
  };
  expect([packet, replyTo(packet)].map(packetText)).toEqual([
    '10.0.0.1:1 -> [fd00::2]:53/udp',
    '[fd00::2]:53 -> 10.0.0.1:1/udp',
  ]);
  expect(packetText({ source: 'fd00::1', destination: 'fd00::2' })).toBe('fd00::1 -> fd00::2');
  expect(packetText(replyTo({ source: '10.0.0.1', destination: '10.0.0.2', protocol: 1 }))).toBe(
    '10.0.0.2 -> 10.0.0.1/icmp',
  );
});

test('of several paths with the worst outcome, the first is the worst', () => {
  const paths = [
    { outcome: 'arrives', name: 'a' },
    { outcome: 'lost', name: 'b' },
    { outcome: 'lost', name: 'c' },
  ] as const;
  expect([worstPath(paths)?.name, worstPath([])]).toEqual(['b', undefined]);
});
