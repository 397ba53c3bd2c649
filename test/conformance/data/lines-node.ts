// Lines 70 to 95: STATUS, GC, delegation, conventions.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { expectOutcome } from '../case.ts';
import type { Line } from '../line.ts';

const accepted = { result: { ips: [{ address: '10.5.0.2/24' }] } };
const macOf = (number: number) => `02:00:00:00:00:0${number}`;

export const nodeLines: readonly Line[] = [
  { line: 70, says: 'STATUS succeeds if ADD can succeed, else it is error 50 or 51', by: [126, 127] },
  { line: 71, says: "STATUS runs the IPAM plugin's STATUS and passes on its error", by: [128, 129] },
  {
    line: 72,
    says: "STATUS reports an exhausted address pool with the IPAM plugin's message",
    by: [[128, 'range is full']],
  },
  { line: 73, says: 'GC reads the list under its current key and that of the first draft', by: [134, 139] },
  {
    line: 74,
    says: 'GC deletes all attachments that are not listed; it continues after a failure and reports it',
    by: [131, 138],
  },
  { line: 75, says: "GC runs the IPAM plugin's GC with the same stdin", by: [131, 140] },
  { line: 76, says: 'GC changes nothing that win-hcn did not create, and prints nothing', by: [136] },
  { line: 77, says: 'GC accepts an empty list and refuses an absent one', by: [132, 133, 137] },
  {
    line: 78,
    says: 'an IPAM plugin is a regular file in a folder of CNI_PATH',
    by: [[37, 'working folder'], 84],
    story: async (node) => {
      mkdirSync(join(node.ipam.folder, 'folder-ipam'));
      const config = { ipam: { type: 'folder-ipam' } };
      await expectOutcome(node, { config, becomes: { error: 7, says: ['"folder-ipam"'] } });
    },
  },
  { line: 79, says: 'the IPAM plugin gets all variables unchanged except CNI_COMMAND', by: [85] },
  { line: 80, says: 'the IPAM plugin gets the complete configuration, unknown keys included', by: [57, 86] },
  { line: 81, says: "the IPAM plugin's stderr is passed on", by: [87] },
  { line: 82, says: 'the IPAM plugin succeeds with exit code 0 and a result in any version', by: [78, 79] },
  {
    line: 83,
    says: 'the IPAM plugin runs for every command, and its code, message and details are passed on',
    by: [80, 86, 117, 124, 140],
  },
  { line: 84, says: 'interfaces and interface indexes of the IPAM plugin are ignored', by: [77] },
  { line: 85, says: 'a port mapping takes effect or is an error', by: [102, 103] },
  {
    line: 86,
    says: 'ipRanges are passed to the IPAM plugin, and are an error without one',
    story: async (node) => {
      const config = { runtimeConfig: { ipRanges: [[{ subnet: '10.5.0.0/24', rangeStart: '10.5.0.9' }]] } };
      const says = ['/runtimeConfig/ipRanges'];
      await expectOutcome(node, { config: { ...config, ipam: undefined }, becomes: { error: [2, 7], says } });
      await expectOutcome(node, { config, becomes: accepted });
      expect(node.ipam.stdin('ADD')).toBe(JSON.stringify(node.config(config)));
    },
  },
  {
    line: 87,
    says: 'an egress limit takes effect; an ingress limit is an error',
    by: [101, 104],
  },
  { line: 88, says: 'DNS of the runtime uses the keys of the capability and takes effect', by: [100, 101] },
  {
    line: 89,
    says: 'a MAC address and IP addresses take effect; Linux-only capabilities are accepted',
    by: [[108, 'runtimeConfig takes']],
    story: async (node) => {
      const linux = { infinibandGUID: 'c2:11:22:33:44:55:66:77', deviceID: '0000:01:00.0', cgroupPath: '/x' };
      const args = { cni: { mac: macOf(2) } };
      const result = { interfaces: [{ name: 'eth0', mac: macOf(1) }] };
      const config = { runtimeConfig: { ...linux, mac: macOf(1) }, args };
      await expectOutcome(node, { config, env: { CNI_ARGS: `MAC=${macOf(3)}` }, becomes: { result } });
    },
  },
  { line: 90, says: 'aliases are accepted as a list and by network', by: [105] },
  {
    line: 91,
    says: 'annotations of the pod are accepted',
    story: async (node) => {
      const runtimeConfig = {
        'io.kubernetes.cri.pod-annotations': { 'kubernetes.io/egress-bandwidth': '10M' },
      };
      await expectOutcome(node, { config: { runtimeConfig }, becomes: accepted });
    },
  },
  {
    line: 93,
    says: 'args is optional, takes precedence over CNI_ARGS and may have unknown members',
    by: [106, 108],
  },
  {
    line: 94,
    says: 'MAC in CNI_ARGS takes effect unless args or runtimeConfig has one; keys of a pod are ignored',
    by: [[108, 'CNI_ARGS']],
    story: async (node) => {
      const CNI_ARGS = `K8S_POD_NAME=a;MAC=${macOf(3)};IgnoreUnknown=1`;
      const ordinary = { result: { interfaces: [{ mac: macOf(3) }] } };
      await expectOutcome(node, { env: { CNI_ARGS }, becomes: ordinary });
      await node.cni({ command: 'DEL' });
      const config = { args: { cni: { mac: macOf(2) } } };
      const before = { result: { interfaces: [{ mac: macOf(2) }] } };
      await expectOutcome(node, { env: { CNI_ARGS }, config, becomes: before });
    },
  },
  {
    line: 95,
    says: "win-hcn never refuses CNI_ARGS; the IPAM plugin's error about them is passed on",
    by: [107],
  },
];
