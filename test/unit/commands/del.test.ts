import { expect, test } from 'vitest';
import { del } from '../../../src/commands/del.ts';
import { aroundHcnCalls } from '../../../src/hcn/around-calls.ts';
import { hcnClient } from '../../../src/hcn/client.ts';
import { HcnMissing } from '../../../src/hcn/errors.ts';

const attachment = { containerId: 'c0ffee', ifname: 'eth0', network: 'cbr0' };

test('on a machine without HCN, where there is no endpoint, DEL gives the addresses back and says what is missing', async () => {
  const missing = new HcnMissing('there is no computenetwork.dll', undefined);
  const hcn = hcnClient(
    aroundHcnCalls(
      async () => {
        throw missing;
      },
      (_, call) => call(),
    ),
  );
  const runs: unknown[] = [];
  const delegate = {
    type: 'host-local',
    path: 'C:\\cni\\host-local.exe',
    environment: {},
    stdin: '{}',
    spawn: async (_path: string, environment: Readonly<Record<string, string | undefined>>) => {
      runs.push(environment['CNI_COMMAND']);
      return { exitCode: 0, stdout: '' };
    },
  };
  await expect(del(attachment, { hcn, locateIpam: () => delegate })).rejects.toBe(missing);
  expect(runs).toEqual(['DEL']);
});
