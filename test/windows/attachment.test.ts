import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { example } from '../e2e/example.ts';
import { type Hns, startHns } from '../simulator/hns.ts';
import { loopbackAdapter } from './loopback-adapter.ts';
import { exe, missing, suitePrefix } from './suite.ts';

describe.skipIf(missing !== undefined)('win-hcn.exe', () => {
  let hns: Hns;
  let netns: string;
  beforeEach(async () => {
    hns = await startHns({ adapters: [loopbackAdapter] });
    netns = hns.createNamespace();
  });
  afterEach(() => hns.stop());

  const cni = (
    command: string,
    config: object | string,
    environment: Readonly<Record<string, string>> = {},
  ) =>
    suitePrefix().run(exe, [], {
      env: {
        WIN_HCN_SIMULATED_HNS: hns.environment.WIN_HCN_SIMULATED_HNS,
        CNI_COMMAND: command,
        CNI_CONTAINERID: 'c0ffee',
        CNI_NETNS: netns,
        CNI_IFNAME: 'eth0',
        CNI_PATH: 'C:\\opt\\cni\\bin',
        ...environment,
      },
      stdin: typeof config === 'string' ? config : JSON.stringify(config),
    });

  test.each([
    ['l2bridge', '10.244.1', 'L2Bridge'],
    ['overlay', '10.245.1', 'Overlay'],
  ] as const)('adds, checks and deletes a pod on the %s example', async (name, net, type) => {
    const added = await cni('ADD', example(name));
    expect(added).toMatchObject({ exitCode: 0, stderr: '' });
    const prevResult = JSON.parse(added.stdout);
    expect(prevResult).toEqual({
      cniVersion: '1.0.0',
      interfaces: [
        { name: 'eth0', mac: expect.stringMatching(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/), sandbox: netns },
      ],
      ips: [{ interface: 0, address: `${net}.2/24`, gateway: `${net}.1` }],
      routes: [{ dst: '0.0.0.0/0', gw: `${net}.1` }],
      dns: { nameservers: ['10.96.0.10'], search: ['svc.cluster.local'] },
    });
    expect(hns.dump()).toMatchObject({
      networks: [{ Name: name, Type: type }],
      endpoints: [{ Name: `c0ffee_${name}_eth0`, HostComputeNamespace: netns }],
    });
    const nothing = { exitCode: 0, stdout: '', stderr: '' };
    expect(await cni('CHECK', example(name, { prevResult }))).toEqual(nothing);
    expect(await cni('DEL', example(name))).toEqual(nothing);
    expect(await cni('DEL', example(name), { CNI_NETNS: '' })).toEqual(nothing);
    expect(hns.dump()).toMatchObject({ networks: [{ Name: name }], endpoints: [] });
    await expect.poll(() => hns.dump()).toMatchObject({ openHandles: 0, clients: 0 });
  });

  test('prints its answer and ends with exit code 1 when an HCN call hangs, and leaves nothing', async () => {
    hns.inject({ function: 'HcnModifyNamespace', effect: { hang: true } });
    const answer = await cni('ADD', example('l2bridge', { hcnTimeoutSeconds: 1 }));
    expect(answer.exitCode).toBe(1);
    expect(JSON.parse(answer.stdout)).toMatchObject({ code: 11 });
    expect(hns.dump()).toMatchObject({ endpoints: [] });
  });
});
