import { describe, expect, test } from 'vitest';
import { fiveTuple } from '../../../../src/cli/inventory/acl-row.ts';
import { matchTraffic, type Traffic } from '../../../../src/cli/traffic/match-traffic.ts';

const tcp = 6;
const icmp = 1;
const web: Traffic = {
  protocol: tcp,
  localAddresses: ['10.244.1.2'],
  localPort: 8080,
  remoteAddress: '10.9.0.7',
  remotePort: 51000,
};
const judge = (settings: Readonly<Record<string, unknown>>, traffic: Partial<Traffic> = {}) =>
  matchTraffic(fiveTuple(settings), { ...web, ...traffic });
const yes = { matches: 'yes' };
const no = (because: string) => ({ matches: 'no', because });
const unknown = (because: string) => ({ matches: 'unknown', because });

describe('traffic matches', () => {
  test.each([
    {},
    { Protocols: '', LocalAddresses: '', RemoteAddresses: '', LocalPorts: '', RemotePorts: '' },
    { Protocols: '6' },
    { Protocols: '17, 6' },
    { Protocols: '256' },
    { Protocols: 6 },
    { RemoteAddresses: '10.9.0.7' },
    { RemoteAddresses: '10.9.0.7/32' },
    { RemoteAddresses: '10.9.0.0/16' },
    { RemoteAddresses: '10.9.1.2/16' },
    { RemoteAddresses: '192.168.0.0/16, 10.9.0.7' },
    { RemoteAddresses: '0.0.0.0/0' },
    { RemoteAddresses: 'Any' },
    { RemoteAddresses: '*' },
    { RemoteAddresses: '10.8.0.0/16, any' },
    { RemoteAddresses: 'set-1,10.9.0.7' },
    { LocalAddresses: '10.244.1.2' },
    { LocalPorts: '8080' },
    { LocalPorts: '80,8080' },
    { LocalPorts: '8000-8080' },
    { LocalPorts: '80, 8080 - 8090' },
    { LocalPorts: '*' },
    { RemotePorts: '49152-65535' },
    { Protocols: '6', RemoteAddresses: '10.9.0.0/16', LocalPorts: '8080', LocalAddresses: '10.244.1.2' },
  ])('%j', (settings) => {
    expect(judge(settings)).toEqual(yes);
  });

  test.each([
    [{ RemoteAddresses: 'fd00::/8' }, { remoteAddress: 'fd00::7' }],
    [{ RemoteAddresses: 'FD00::0:7' }, { remoteAddress: 'fd00::7' }],
    [{ Protocols: '58' }, { protocol: 58 }],
    [{ Protocols: '132' }, { protocol: 132 }],
    [{ Protocols: '1' }, { protocol: icmp }],
    [{ LocalAddresses: '10.244.0.0/16' }, { localAddresses: ['10.244.1.2', '10.244.1.3'] }],
  ])('%j for %j', (settings, traffic) => {
    expect(judge(settings, traffic)).toEqual(yes);
  });
});

describe('traffic does not match', () => {
  test.each([
    [{ Protocols: '17' }, {}, 'the protocol is tcp'],
    [{ Protocols: '1,58' }, {}, 'the protocol is tcp'],
    [{ RemoteAddresses: '10.8.0.0/16' }, {}, 'the remote address is 10.9.0.7'],
    [{ RemoteAddresses: '10.9.0.70' }, {}, 'the remote address is 10.9.0.7'],
    [{ RemoteAddresses: '10.9.0.70, ,' }, {}, 'the remote address is 10.9.0.7'],
    [
      { LocalAddresses: '10.244.1.4' },
      { localAddresses: ['10.244.1.2', '10.244.1.3'] },
      'the local address is 10.244.1.2, 10.244.1.3',
    ],
    [{ RemoteAddresses: '0.0.0.0/0' }, { remoteAddress: 'fd00::7' }, 'the remote address is fd00::7'],
    [{ RemoteAddresses: '::/0' }, {}, 'the remote address is 10.9.0.7'],
    [{ LocalAddresses: '10.244.1.3' }, {}, 'the local address is 10.244.1.2'],
    [{ LocalPorts: '80' }, {}, 'the local port is 8080'],
    [{ LocalPorts: '80-8079,8081-9000' }, {}, 'the local port is 8080'],
    [{ RemotePorts: '443' }, {}, 'the remote port is 51000'],
    [{ LocalPorts: '80' }, { protocol: icmp }, 'icmp has no ports'],
    [{ RemoteAddresses: 'set-1', LocalPorts: '80' }, {}, 'the local port is 8080'],
  ])('%j for %j', (settings, traffic, because) => {
    expect(judge(settings, traffic)).toEqual(no(because));
  });
});

describe('it is unknown whether traffic matches', () => {
  const { protocol: _protocol, localPort: _localPort, remotePort: _remotePort, ...onlyAddresses } = web;
  test.each([
    [{ Protocols: '6' }, onlyAddresses, 'the protocol is not given'],
    [{ LocalPorts: '80' }, onlyAddresses, 'the local port is not given'],
    [{ RemotePorts: '80' }, onlyAddresses, 'the remote port is not given'],
    [{ RemoteAddresses: 'set-1' }, web, 'set-1 is not an address and is not resolved'],
    [{ RemoteAddresses: 'set-1, set-2' }, web, 'set-1 is not an address and is not resolved'],
    [
      { LocalAddresses: '10.244.1.3, 10.244.1.4' },
      { ...web, localAddresses: ['10.244.1.2', '10.244.1.3', '10.244.1.4'] },
      'only some of the pod addresses match: 10.244.1.3, 10.244.1.4',
    ],
    [
      { LocalAddresses: '10.244.1.3' },
      { ...web, localAddresses: ['10.244.1.2', '10.244.1.3'] },
      'only some of the pod addresses match: 10.244.1.3',
    ],
  ])('%j for %j', (settings, traffic, because) => {
    expect(matchTraffic(fiveTuple(settings), traffic)).toEqual(unknown(because));
  });
});
