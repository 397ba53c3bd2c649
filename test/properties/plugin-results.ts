import fc from 'fast-check';
import { change, changed, oddValue } from './changes.ts';
import { type IpamEnd, namespace } from './request.ts';

/** Results of plugins, in the format of each version. */
export const pluginResult = fc.oneof(
  fc.record(
    {
      cniVersion: fc.constantFrom('0.3.0', '0.4.0', '1.0.0', '1.1.0'),
      interfaces: fc.array(
        fc.record(
          {
            name: fc.constantFrom('eth0', 'eth1', ''),
            mac: fc.constantFrom('0E-2A-00-00-00-01', 'x'),
            sandbox: fc.constantFrom(namespace, ''),
            mtu: fc.nat(),
          },
          { requiredKeys: ['name'] },
        ),
        { maxLength: 2 },
      ),
      ips: fc.array(
        fc.record(
          {
            version: fc.constantFrom('4', '6'),
            address: fc.constantFrom(
              '10.244.1.7/24',
              '10.244.1.1/24',
              '10.244.1.2/16',
              '10.4.0.9/24',
              'fd00::7/64',
              '10.244.1.255/24',
            ),
            gateway: fc.constantFrom('10.244.1.1', '10.244.1.2', 'fd00::1', ''),
            interface: fc.integer({ min: -1, max: 3 }),
          },
          { requiredKeys: ['address'] },
        ),
        { maxLength: 3 },
      ),
      routes: fc.array(
        fc.record(
          {
            dst: fc.constantFrom('0.0.0.0/0', '::/0', '10.0.0.0/8'),
            gw: fc.constantFrom('10.244.1.3', 'fd00::1', ''),
          },
          { requiredKeys: ['dst'] },
        ),
        { maxLength: 2 },
      ),
      dns: fc.constantFrom({}, { nameservers: ['10.96.0.10'], domain: 'a', search: ['b'], options: ['c'] }),
    },
    { requiredKeys: [] },
  ),
  fc.record(
    {
      cniVersion: fc.constantFrom('0.1.0', '0.2.0'),
      ip4: fc.record(
        {
          ip: fc.constantFrom('10.244.1.7/24', '10.0.0.1/33'),
          gateway: fc.constant('10.244.1.1'),
          routes: fc.constant([{ dst: '0.0.0.0/0' }]),
        },
        { requiredKeys: [] },
      ),
      ip6: fc.constantFrom(null, { ip: 'fd00::7/64' }),
    },
    { requiredKeys: [] },
  ),
);

/** Output of an IPAM plugin: results, errors, and neither. */
const printed = fc.oneof(
  pluginResult.map((one) => JSON.stringify(one)),
  fc
    .tuple(pluginResult, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([one, changes]) => JSON.stringify(changed(one, changes)) ?? ''),
  fc
    .record(
      {
        cniVersion: fc.constant('1.0.0'),
        code: fc.oneof(fc.integer({ min: -1, max: 120 }), oddValue),
        msg: fc.oneof(fc.constantFrom('full', '', ' '), oddValue),
        details: oddValue,
      },
      { requiredKeys: [] },
    )
    .map((one) => JSON.stringify(one)),
  fc.json(),
  fc.string(),
  fc.constantFrom('', '\ufeff{}', '{}{}', '{"ips":null}', '\u0000', 'panic: runtime error', '['.repeat(3000)),
);
export const ipamEnd: fc.Arbitrary<IpamEnd> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      exitCode: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(0, 1) },
        fc.constantFrom(null, 2, 127, -1, 0xc0000005),
      ),
      stdout: printed,
    }),
  },
  fc.constantFrom<IpamEnd>('does not start', 'hangs'),
);
