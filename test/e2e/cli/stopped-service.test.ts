// What every command that needs HNS prints while the service is stopped.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Node, startNode } from '../node.ts';
import { failure, newGuid, runCli } from './run-cli.ts';

let node: Node;
beforeEach(async () => {
  node = await startNode();
  await node.hns.stop();
});
afterEach(() => node.stop());

const network = '259f4964-2dff-5b46-92f1-633319a59298';
const conf = 'net.conflist';
const config = {
  cniVersion: '1.1.0',
  name: 'l2bridge',
  plugins: [
    { type: 'win-hcn', networkType: 'L2Bridge', subnets: [{ subnet: '10.244.1.0/24' }], hostEndpoint: {} },
  ],
};
const services = 'services.json';
const loadBalancer = {
  HostComputeEndpoints: ['5efcf8b5-6b39-5f7c-8ebe-586dde64a108'],
  PortMappings: [{ Protocol: 6, ExternalPort: 80, InternalPort: 8080 }],
};

const run = (words: string) =>
  runCli(words.split(' '), {
    system: node.outside,
    files: { [conf]: JSON.stringify(config), [services]: JSON.stringify(loadBalancer) },
  });

/** HNS's stop, then the failed action, symbol and number. */
const stopped = (action: string) =>
  'HNS is not running. Run Start-Service hns. If it does not exist, run Enable-WindowsOptionalFeature -Online ' +
  `-FeatureName Containers. ${action} failed with EPT_S_NOT_REGISTERED (0x800706d9): There are no more endpoints available from ` +
  'the endpoint mapper.';

describe('errors begin with the stopped service in', () => {
  test.each([
    ['ls', 'Listing networks'],
    ['show pod web', 'Listing networks'],
    ['trace web 10.96.0.10:80', 'Listing networks'],
    ['gc', 'Listing networks'],
    ['debug cni gc --conf net.conflist --keep-none', 'Listing networks'],
    ['network delete l2bridge --yes', 'Listing networks'],
    ['network ensure net.conflist', `Opening network ${network}`],
    ['debug namespace create', `Opening namespace ${newGuid}`],
    ['debug endpoint delete web', 'Listing networks'],
    ['debug loadbalancer delete web --yes', 'Listing networks'],
    ['debug probe', 'Listing networks'],
  ])('%s', async (words, action) => {
    expect(await run(words)).toEqual(failure(3, `win-hcn: ${stopped(action)}`));
  });

  test('plan, after the validation of its file', async () => {
    expect(await run('config plan net.conflist')).toEqual({
      exitCode: 3,
      stdout: 'net.conflist: /plugins/0: win-hcn configuration, network type L2Bridge\n',
      stderr: `win-hcn: ${stopped(`Opening network ${network}`)}\n`,
    });
  });

  test('debug cni status, in the CNI error', async () => {
    expect(await run('debug cni status --conf net.conflist')).toEqual({
      exitCode: 3,
      stdout: `${JSON.stringify({ cniVersion: '1.1.0', code: 50, msg: stopped(`Opening network ${network}`) }, undefined, 2)}\n`,
      stderr:
        'STATUS failed: 1 call in 0 ms\n' +
        '      ms  result                call            object\n' +
        `     0.0  EPT_S_NOT_REGISTERED  HcnOpenNetwork  ${network}\n`,
    });
  });
});

test('--verbose adds the JSON that HNS returned', async () => {
  node = await startNode();
  const fault = {
    function: 'HcnEnumerateNetworks',
    ordinal: 'every',
    effect: { hresult: 0x80070005 },
  } as const;
  node.hns.inject(fault);
  const denied =
    'win-hcn: listing networks: HCN returned E_ACCESSDENIED (0x80070005): Access is denied. Run as SYSTEM or as an elevated ' +
    'administrator.';
  expect(await run('ls')).toEqual(failure(1, denied));
  const record = 'HNS error record: {"Success":false,"Error":"Access is denied. ","ErrorCode":2147942405}';
  for (const words of ['ls --verbose', '--verbose ls'])
    expect(await run(words)).toEqual(failure(1, denied, record));
});
