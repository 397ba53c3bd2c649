import { describe, expect, test } from 'vitest';
import { readResult } from '../../../src/cni/read-result.ts';
import { appendResult, type Result, renderResult } from '../../../src/cni/result.ts';

const full: Result = {
  interfaces: [
    {
      name: 'eth0',
      mac: '00:15:5d:11:22:33',
      mtu: 1500,
      sandbox: 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444',
      socketPath: '/s',
      pciID: '0000:01:00.0',
    },
    { name: 'vEthernet' },
  ],
  ips: [
    { address: '10.5.0.2/24', gateway: '10.5.0.1', interface: 0 },
    { address: 'fd00:5::2/64', interface: 0 },
  ],
  routes: [
    { dst: '0.0.0.0/0' },
    { dst: '10.96.0.0/12', gw: '10.5.0.1', mtu: 0, advmss: 1360, priority: 0, table: 0, scope: 0 },
  ],
  dns: { nameservers: ['10.96.0.10'], domain: 'cluster.local', search: [], options: ['ndots:5'] },
};

const empty: Result = { interfaces: [], ips: [], routes: [], dns: {} };

test('a result before 0.3.0 may have only an IPv6 address', () => {
  const legacy = { cniVersion: '0.2.0', ip6: { ip: 'fd00:5::2/64', gateway: 'fd00:5::1' }, dns: {} };
  const ips = [{ address: 'fd00:5::2/64', gateway: 'fd00:5::1' }];
  expect(readResult(legacy, 'result')).toEqual({ ...empty, ips });
});

test('a result without addresses does not exist before 0.3.0', () => {
  const message = 'a result without addresses does not exist in version 0.2.0';
  expect(() => renderResult(empty, '0.2.0')).toThrow(expect.objectContaining({ code: 7, message }));
});

describe('a result of another plugin', () => {
  test('is read with keys in any case, and null as absent', () => {
    const read = readResult(
      { Interfaces: null, IPs: [{ Address: '::ffff:10.1.2.3/120', Gateway: null }], routes: null },
      'result',
    );
    expect(read).toEqual({ interfaces: [], ips: [{ address: '10.1.2.3/24' }], routes: [], dns: {} });
  });

  test.each([
    [0, { interface: 0 }],
    [1, { interface: 1 }],
    [2, {}],
    [-1, {}],
  ])('with two interfaces and index %d in an address is read as %j', (index, expected) => {
    const result = {
      interfaces: [{ name: 'a' }, { name: 'b' }],
      ips: [{ address: '10.1.2.3/24', interface: index }],
    };
    expect(readResult(result, 'result').ips).toEqual([{ address: '10.1.2.3/24', ...expected }]);
  });

  test.each([
    [
      { ips: [{ address: '10.0.0.1' }] },
      'result.ips[0].address is "10.0.0.1", expected an address with a prefix length',
    ],
    [
      { ips: [{ address: '10.0.0.1/8', gateway: 'x' }] },
      'result.ips[0].gateway is "x", expected an IP address',
    ],
    [{ ips: [null] }, 'result.ips[0] is null, expected an object'],
    [{ routes: [{}] }, 'result.routes[0].dst is missing, expected an address with a prefix length'],
    [{ interfaces: [{ name: 'a', mtu: 1.5 }] }, 'result.interfaces[0].mtu is 1.5, expected an integer'],
  ])('%j is refused: %s', (value, message) => {
    const unquoted = message.replace(/ is .*, expected /, ' is not ');
    expect(() => readResult(value, 'result')).toThrow(
      expect.objectContaining({ code: 6, message, unquoted }),
    );
  });
});

test("a chained result appends win-hcn's result with shifted indexes, and win-hcn's DNS takes precedence", () => {
  const previous: Result = {
    ...full,
    interfaces: [...full.interfaces, { name: 'lo' }],
    dns: { search: ['x.y'], domain: 'x.y' },
  };
  const own: Result = {
    interfaces: [{ name: 'eth1' }],
    ips: [{ address: '10.6.0.2/24', interface: 0 }],
    routes: [{ dst: '10.6.0.0/16' }],
    dns: { search: ['a.b'] },
  };
  expect(appendResult(previous, own)).toEqual({
    interfaces: [...full.interfaces, { name: 'lo' }, { name: 'eth1' }],
    ips: [...full.ips, { address: '10.6.0.2/24', interface: 3 }],
    routes: [...full.routes, { dst: '10.6.0.0/16' }],
    dns: { search: ['a.b'], domain: 'x.y' },
  });
});
