import { expect, test } from 'vitest';
import { comparisonsWith, readPeer } from '../../bench/peers.ts';

test('a peer is a file and the type of its configuration', () => {
  expect(readPeer('C/win-bridge.exe=win-bridge')).toEqual({ file: 'C/win-bridge.exe', type: 'win-bridge' });
});

test.each(['win-bridge.exe', '=nat', 'nat.exe=', 'nat.exe=calico', 'a=b=nat'])('%s is not a peer', (text) => {
  expect(() => readPeer(text)).toThrow(
    '--peer is FILE=TYPE with one of the types nat, sdnbridge, sdnoverlay, win-bridge, win-overlay.',
  );
});

test('each request is sent to win-hcn and to the peer', () => {
  const command = ['/opt/nat'];
  const compared = comparisonsWith({ file: '/opt/nat', type: 'nat' }, command);
  expect(compared.map(({ own, peer }) => [own.name, own.program, peer.name, peer.program])).toEqual([
    ['VERSION of win-hcn, type nat', undefined, 'VERSION of nat, type nat', command],
    ['ADD of win-hcn, type nat', undefined, 'ADD of nat, type nat', command],
    ['DEL of win-hcn, type nat', undefined, 'DEL of nat, type nat', command],
  ]);
});
