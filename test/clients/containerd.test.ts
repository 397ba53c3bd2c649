import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Hns, startHns } from '../simulator/hns.ts';
import { conflist } from './conflist.ts';
import { containerdMissing, ctrRun } from './containerd.ts';

const missing = containerdMissing();

describe.skipIf(missing !== undefined)('ctr of containerd 1.6 on Linux with an HCN namespace', () => {
  let hns: Hns;
  let netns: string;
  beforeEach(async () => {
    hns = await startHns();
    netns = hns.createNamespace();
  });
  afterEach(() => hns.stop());

  test('runs a container with an endpoint, and deletes the endpoint after the container ended', async () => {
    const script = 'echo running; read; echo ended';
    const ctr = ctrRun(conflist('l2bridge'), netns, hns.environment, ['/bin/sh', '-c', script]);
    await ctr.running;
    const during = hns.dump();
    expect(await ctr.finish()).toEqual({ exitCode: 0, stdout: 'running\nended\n', stderr: '' });
    expect(during).toMatchObject({
      networks: [{ Name: 'l2bridge', Type: 'L2Bridge' }],
      endpoints: [
        {
          Name: expect.stringMatching(/^clients-\w{6}-pod1_l2bridge_eth0$/),
          HostComputeNamespace: netns,
          IpConfigurations: [{ IpAddress: '10.244.1.2', PrefixLength: 24 }],
          Dns: { ServerList: ['10.96.0.10'] },
        },
      ],
    });
    expect(hns.dump()).toMatchObject({ networks: [{ Name: 'l2bridge' }], endpoints: [] });
    await expect.poll(() => hns.dump()).toMatchObject({ openHandles: 0, clients: 0 });
  });

  test('starts no container and prints our message when HCN refuses the endpoint, and leaves nothing', async () => {
    hns.inject({ function: 'HcnCreateEndpoint', effect: { hresult: 0x80070005 } });
    const ctr = ctrRun(conflist('l2bridge'), netns, hns.environment, ['/bin/sh', '-c', 'echo running']);
    const { exitCode, stdout, stderr } = await ctr.finish();
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(
      /^ctr: plugin type="win-hcn" failed \(add\): creating endpoint "clients-\w{6}-pod1_l2bridge_eth0" as /,
    );
    expect(hns.dump()).toMatchObject({ endpoints: [] });
  });
});
