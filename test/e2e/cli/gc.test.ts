import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { macFromAddress } from '../../../src/net/mac.ts';
import { type InventoryNode, legacy, network, startInventoryNode, web } from './inventory-node.ts';
import { fileError, type Printed, problem, runCli, success } from './run-cli.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const gone = 'f472cb12-5818-55ac-8fd0-70832a4a207f';
const folder = 'C:\\var\\lib\\cni\\networks\\l2bridge';
let node: InventoryNode;
let files: Record<string, string>;
let modified: Record<string, Date>;
/** The time of day at which gc starts. */
const today = new Date('2026-03-01T12:00:00.000Z');
const ago = (seconds: number) => new Date(today.getTime() - seconds * 1000);
/** Runs while gc waits before its second check. */
let meanwhile: () => Promise<unknown>;
/** Runs right before each deletion. */
let deleting: () => Promise<unknown>;
/** The duration of each deletion in milliseconds. */
let deletionTakes: number;

beforeEach(async () => {
  node = await startInventoryNode();
  files = {};
  modified = {};
  meanwhile = async () => undefined;
  deleting = async () => undefined;
  deletionTakes = 0;
});
afterEach(() => node.stop());

/** Runs gc with host-local's reservations in `files`. */
function gc(...words: readonly string[]): Promise<Printed> {
  const { timer, now, loadLibrary } = node.outside;
  let late = 0;
  return runCli(['gc', ...words], {
    files,
    modified,
    system: {
      ...node.outside,
      clock: () => today,
      executable: '/opt/cni/bin/win-hcn.exe',
      now: () => (now?.() ?? 0) + late,
      loadLibrary: async () => {
        const library = await loadLibrary?.();
        if (library === undefined) throw new Error('the node has no HCN');
        const remove: typeof library.delete = async (...given) => {
          await deleting();
          const answer = await library.delete(...given);
          late += deletionTakes;
          return answer;
        };
        return { ...library, delete: remove };
      },
      timer: (milliseconds, call) => {
        if (milliseconds !== 5000) return timer?.(milliseconds, call) ?? { cancel: () => undefined };
        void meanwhile().then(call);
        return { cancel: () => undefined };
      },
    },
  });
}

const keep = (address: string, text: string, of = folder, written = ago(86_400)) => {
  files[`${of}\\${address}`] = text;
  modified[`${of}\\${address}`] = written;
};
const addRemote = (id: string, Name: string, address: string) =>
  node.hcn.createEndpoint(network, id, {
    Name,
    HostComputeNetwork: network,
    IpConfigurations: [{ IpAddress: address }],
    MacAddress: macFromAddress('02-11', address),
    Flags: 1,
    SchemaVersion,
  });
const lines = (...text: readonly string[]) => `${text.join('\n')}\n`;

const waiting = 'waiting 5 s: the endpoint of an ADD in progress is in no namespace for a moment\n';
const stays = '1 endpoint of other plugins kept: include with --other-plugins\n';
const deletion = `1. delete endpoint ${gone} (gone/eth0 on l2bridge, 10.244.1.3/24): in no namespace`;

describe('gc --yes', () => {
  test.each<[string, string, () => Promise<unknown>]>([
    ['in use: kept', '1 in use', () => node.hcn.addEndpoint(node.newPod().netns, gone)],
    ['already gone', '1 already gone', () => node.hcn.deleteEndpoint(gone)],
  ])('checks an endpoint again before its deletion: %s', async (end, count, change) => {
    meanwhile = change;
    expect(await gc('--yes')).toEqual({
      ...success(deletion, `   ${end}`, '', count),
      stderr: waiting + stays,
    });
  });

  test.each(['refused', 'hangs'] as const)(
    'keeps an endpoint that a slow ADD attaches after the second check: HNS has attachedEndpointDeletion %s',
    async (attachedEndpointDeletion) => {
      await node.stop();
      node = await startInventoryNode({ switches: { attachedEndpointDeletion } });
      const { netns } = node.newPod();
      deleting = async () => {
        deleting = async () => undefined;
        await node.hcn.addEndpoint(netns, gone);
      };
      const { stdout } = await gc('--yes');
      expect((await node.hcn.findEndpoint(gone))?.HostComputeNamespace).toBe(netns);
      expect(stdout).toMatch(/^1\. delete endpoint .*\n {3}failed: .*\n\n1 failed\n$/);
    },
  );

  test('keeps an endpoint that has become one of kube-proxy', async () => {
    meanwhile = async () => {
      await node.hcn.deleteEndpoint(gone);
      await addRemote(gone, 'Ethernet', '10.244.2.8');
    };
    expect((await gc('--yes')).stdout).toBe(lines(deletion, '   in use: kept', '', '1 in use'));
  });

  test('continues after a failure, and prints it', async () => {
    node.hns.inject({ function: 'HcnDeleteEndpoint', effect: { hresult: 0x80070005 } });
    expect(await gc('--yes', '--other-plugins')).toEqual({
      ...problem(
        deletion,
        `   failed: deleting endpoint ${gone}: HCN returned E_ACCESSDENIED (0x80070005): Access is denied. Run as SYSTEM or ` +
          'as an elevated administrator.',
        `2. delete endpoint ${legacy} (c0ffee on l2bridge, 10.244.1.30/24): in no namespace`,
        '   deleted',
        '',
        '1 failed, 1 deleted',
      ),
      stderr: waiting,
    });
  });

  test('keeps unreadable objects and finds no reservations', async () => {
    keep('10.244.1.9', 'longgone\r\neth0');
    node.hns.inject({ function: 'HcnQueryEndpointProperties', effect: { hresult: 0x80004005 } });
    expect(await gc('--yes')).toEqual({
      ...problem(deletion, '   deleted', '', '1 deleted'),
      stderr:
        `win-hcn: left out: querying endpoint ${web}: HCN returned E_FAIL (0x80004005): Unspecified error. Retry; ` +
        'if it fails again, read the log: Get-WinEvent -LogName Microsoft-Windows-Host-Network-Service-Admin -MaxEvents 20.\n' +
        waiting +
        stays,
    });
  });

  test('stops when HNS does not respond, and exits with 3', async () => {
    node.hns.inject({ function: 'HcnDeleteEndpoint', effect: { hang: true } });
    expect(await gc('--yes', '--other-plugins')).toEqual({
      exitCode: 3,
      stdout: lines(
        deletion,
        '   failed: HcnDeleteEndpoint did not respond within 30 s: the Host Network Service hangs or is overloaded. ' +
          'Run Get-Service hns to check it. If the next attempt times out too, drain the node and run Restart-Service hns.',
        `2. delete endpoint ${legacy} (c0ffee on l2bridge, 10.244.1.30/24): in no namespace`,
        '   skipped: the Host Network Service does not respond',
        '',
        '1 failed, 1 skipped',
      ),
      stderr: `${waiting}waiting for HcnDeleteEndpoint, up to 30 s...\n`,
    });
  });
});

describe('reservations of host-local', () => {
  beforeEach(async () => {
    await node.hcn.deleteEndpoint(legacy);
    keep('10.244.1.9', 'longgone\r\neth0');
  });
  const found = async () => {
    const { stdout, stderr } = await gc('-o', 'json');
    const { endpoints, reservations } = JSON.parse(stdout);
    const addresses = reservations.map(({ address }: { readonly address: string }) => address);
    return { endpoints: endpoints.length, addresses, stderr };
  };

  test('that cannot be read or are too large are a problem', async () => {
    Object.defineProperty(files, `${folder}\\10.244.1.99`, {
      enumerable: true,
      get: () => {
        throw fileError('EISDIR', 'read');
      },
    });
    keep('10.244.1.20', `longgone\r\n${'x'.repeat(4096)}`);
    keep('10.244.1.21', `longgone2\r\neth0\r\n${' '.repeat(4096 - 17)}`);
    expect(await found()).toEqual({
      endpoints: 1,
      addresses: ['10.244.1.9', '10.244.1.21'],
      stderr:
        `win-hcn: cannot read ${folder}\\10.244.1.99: it is a folder\n` +
        `win-hcn: ${folder}\\10.244.1.20 is not a reservation of host-local: it has more than 4096 bytes\n`,
    });
  });

  test('are files that an address names', async () => {
    for (const name of ['..', '..\\..\\x', '10.244.1.9 ', '10.244.1.256', 'CON', '10.244.1.9:stream'])
      keep(name, 'longgone\r\neth0');
    expect(await found()).toMatchObject({ addresses: ['10.244.1.9'] });
  });

  test.each([
    [659.999, { endpoints: 0, addresses: ['10.244.1.9'] }],
    [-659.999, { endpoints: 0, addresses: ['10.244.1.9'] }],
    [660, { endpoints: 1, addresses: ['10.244.1.9', '10.244.1.3'] }],
    [-660, { endpoints: 1, addresses: ['10.244.1.9', '10.244.1.3'] }],
  ])('that are %i s old may belong to an ADD in progress', async (age, expected) => {
    keep('10.244.1.3', 'gone\r\neth0', folder, ago(age));
    expect(await found()).toMatchObject(expected);
  });
});
