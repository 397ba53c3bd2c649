import fc from 'fast-check';
import { oddValue } from './changes.ts';
import { fewOf } from './few-of.ts';
import { pluginResult } from './plugin-results.ts';

const runtimeConfig = fewOf({
  portMappings: fc.oneof(
    oddValue,
    fc.array(
      fc.record(
        {
          hostPort: fc.integer({ min: -1, max: 65536 }),
          containerPort: fc.integer({ min: 0, max: 65536 }),
          protocol: fc.constantFrom('tcp', 'UDP', 'sctp', ''),
          hostIP: fc.constantFrom('', '0.0.0.0', '10.0.0.4', '::1'),
        },
        { requiredKeys: [] },
      ),
      { maxLength: 3 },
    ),
  ),
  dns: fc.oneof(
    oddValue,
    fc.record(
      {
        servers: fc.oneof(oddValue, fc.constant(['10.96.0.10'])),
        searches: fc.oneof(oddValue, fc.constant(['a.b'])),
        options: oddValue,
      },
      { requiredKeys: [] },
    ),
  ),
  mac: fc.oneof(oddValue, fc.constantFrom('00-15-5D-52-C0-01', '0e:2a:0a:0b:0c:0d', 'ff-ff-ff-ff-ff-ff')),
  ips: fc.oneof(
    oddValue,
    fc.array(fc.constantFrom('10.244.1.7', '10.244.1.7/24', 'fd00::7', '10.9.9.9', ''), { maxLength: 3 }),
  ),
  bandwidth: fc.oneof(
    oddValue,
    fc.record(
      {
        ingressRate: fc.constantFrom(0, 1, null),
        egressRate: fc.constantFrom(0, 7, 8, 8e9, 1e308, -1, 8.5),
        egressBurst: oddValue,
      },
      { requiredKeys: [] },
    ),
  ),
  ipRanges: oddValue,
  aliases: oddValue,
  cgroupPath: oddValue,
});

/** Members that a runtime adds to a configuration, one or two of them of any form. */
export const ofRuntime = fewOf({
  prevResult: fc.oneof(pluginResult, oddValue),
  runtimeConfig: fc.oneof({ weight: 4, arbitrary: runtimeConfig }, oddValue),
  args: fc.oneof(
    fc.record({
      cni: fc.oneof(oddValue, fc.record({ ips: oddValue, mac: oddValue }, { requiredKeys: [] })),
    }),
    oddValue,
  ),
  capabilities: fc.oneof(fc.constantFrom<unknown>({ portMappings: true, dns: true }), oddValue),
  'cni.dev/valid-attachments': fc.oneof(
    oddValue,
    fc.array(
      fc.oneof(
        oddValue,
        fc.record({ containerID: fc.constantFrom('c0ffee', 'x', ''), ifname: fc.constantFrom('eth0', '') }),
      ),
      { maxLength: 3 },
    ),
  ),
  'cni.dev/attachments': oddValue,
  cniVersion: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('0.1.0', '0.2.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0') },
    oddValue,
  ),
  hcnTimeoutSeconds: fc.oneof(fc.constantFrom(1, 120, 121, 0, 1.5, 1e308), oddValue),
});
