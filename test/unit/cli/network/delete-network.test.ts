import { describe, expect, test } from 'vitest';
import type { ObservedEndpoint, ObservedNetwork } from '../../../../src/hcn/documents.ts';
import { sourceVipId } from '../../../../src/model/identity.ts';
import { type Printed, runCli } from '../../../e2e/cli/run-cli.ts';
import { type SmallHcnOptions, smallHcn } from '../../hcn/small-hcn.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const ID = 'a7a2c4b0-0000-4000-8000-000000000000';
const podNamespace = '7c806792-3d8f-4c7b-9e51-0d4f6a3b2c1d';
const network: ObservedNetwork = { ID, Name: 'my net', Type: 'Overlay', SchemaVersion };
const endpoint = (id: string, Name: string, changes: object = {}): ObservedEndpoint => ({
  ID: `${id}0000000-0000-4000-8000-000000000000`,
  Name,
  HostComputeNetwork: ID,
  IpConfigurations: [{ IpAddress: `10.244.1.${id}`, PrefixLength: 24 }],
  SchemaVersion,
  ...changes,
});
const pod = endpoint('1', 'c0ffee_my net', { HostComputeNamespace: podNamespace, State: 2 });
const ofOthers = endpoint('2', 'decade_my net', { State: 4 });
const remote = endpoint('3', 'remote', { Flags: 1 });
const unknown = endpoint('4', 'by-hand');

function remove(given: string, hcn: SmallHcnOptions, files: Readonly<Record<string, string>> = {}) {
  const { library, calls } = smallHcn({
    networks: [network],
    namespaces: [{ ID: podNamespace, Type: 'Host', NamespaceId: 2, SchemaVersion }],
    ...hcn,
  });
  const printed = runCli(['network', 'delete', given, '--yes'], {
    files,
    system: { loadLibrary: async () => library },
  });
  return printed.then((result): Printed & { readonly changes: readonly string[] } => ({
    ...result,
    changes: calls.filter((call) => call.startsWith('delete')),
  }));
}

describe('a network is not deleted with', () => {
  const loadBalancers = [{ ID: pod.ID, HostComputeEndpoints: [remote.ID], PortMappings: [], SchemaVersion }];
  test.each<[string, SmallHcnOptions, string]>([
    ['a pod', { endpoints: [pod] }, '1 pod endpoint'],
    ['leftovers', { endpoints: [remote, ofOthers] }, '2 leftovers'],
    [
      'a remote and an unknown endpoint',
      { endpoints: [remote, unknown], loadBalancers },
      '1 remote endpoint and 1 other endpoint',
    ],
  ])('%s', async (_, hcn, problem) => {
    expect(await remove('my net', hcn)).toEqual({
      exitCode: 1,
      stdout: '',
      changes: [],
      stderr:
        `win-hcn: network "my net" ${ID} is not deleted: it has ${problem}. Delete the pods or drain the node, then delete leftovers with ` +
        "win-hcn gc. win-hcn show network 'my net' lists the endpoints\n",
    });
  });
});

test('of two networks with the name in a configuration file, none is deleted', async () => {
  const other = { ...network, ID: 'b7a2c4b0-0000-4000-8000-000000000000' };
  const text = JSON.stringify({
    cniVersion: '1.0.0',
    name: 'my net',
    type: 'win-hcn',
    networkType: 'Overlay',
  });
  const printed = await remove('/my-net.conf', { networks: [network, other] }, { '/my-net.conf': text });
  expect(printed).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      `win-hcn: "my net" matches 2 networks: use a longer part of the id (${ID}, ${other.ID}). ` +
      'Run win-hcn ls --remote to list all objects.\n',
    changes: [],
  });
});

test('the source VIP with several addresses stays reserved without the configuration file', async () => {
  const vip = endpoint('6', 'my net_source_vip', {
    ID: sourceVipId('my net'),
    IpConfigurations: ['10.244.1.6', 'fd00::6'].map((IpAddress) => ({ IpAddress })),
  });
  const { stdout, stderr, exitCode } = await remove('my net', { endpoints: [vip] });
  expect({ exitCode, last: stdout.trimEnd().split('\n').at(-1), stderr }).toEqual({
    exitCode: 0,
    last: `network "my net" ${ID} was deleted`,
    stderr:
      'deleting Overlay network "my net"\n' +
      'win-hcn: an IPAM plugin still reserves 10.244.1.6, fd00::6 of the source VIP: to release it, run win-hcn network delete with the configuration file\n',
  });
});
