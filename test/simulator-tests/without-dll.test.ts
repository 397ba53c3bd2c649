import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadComputeNetwork } from '../../src/hcn/computenetwork.ts';
import type { ComputeNetworkLibrary } from '../../src/hcn/library.ts';
import { loadIpHelper } from '../../src/iphlpapi/load-ip-helper.ts';
import { type Fault, type Hns, startHns, type WindowsLibraries } from '../simulator/hns.ts';

const id = '0f6d2f0c-3f63-4f53-9d83-5c1b8b1d8a10';
const settings = JSON.stringify({ Name: 'nat', Type: 'NAT', SchemaVersion: { Major: 2, Minor: 0 } });

let hns: Hns;
let ways: Readonly<Record<'with' | 'without', WindowsLibraries>>;
beforeEach(async () => {
  hns = await startHns();
  const { WIN_HCN_LIBRARY, WIN_HCN_SIMULATED_HNS } = hns.environment;
  process.env['WIN_HCN_SIMULATED_HNS'] = WIN_HCN_SIMULATED_HNS;
  const stub = { library: loadComputeNetwork(WIN_HCN_LIBRARY), ipHelper: loadIpHelper(WIN_HCN_LIBRARY) };
  ways = { with: stub, without: hns.withoutDlls() };
});
afterEach(() => hns.stop());

/** Runs work with the DLLs and without them, and expects the same result, which it returns. */
async function both<T>(work: (libraries: WindowsLibraries) => Promise<T>): Promise<T> {
  const result = await work(ways.with);
  expect(await work(ways.without)).toEqual(result);
  return result;
}

/** Creates, reads, changes and deletes a network. Returns the answers without handles. */
async function networkLife({ library }: WindowsLibraries) {
  const created = await library.create('Network', id, settings);
  const opened = await library.open('Network', id);
  const answers = [
    await library.enumerate('Network', '{}'),
    await library.query(opened.value, '{"SchemaVersion":{"Major":2,"Minor":0}}'),
    await library.modify(opened.value, '{}'),
    await library.close(opened.value),
    await library.query(opened.value, '{}'),
    await library.close(created.value),
    await library.delete('Network', id),
    await library.delete('Network', id),
    await library.open('Network', id),
  ];
  return answers.map(({ hresult, value, errorRecord }) => ({
    hresult,
    value:
      typeof value === 'string'
        ? value.replaceAll(/"(LastUpdateTime|SwitchGuid|LayeredOn)":[^,}]+/g, '')
        : '',
    errorRecord,
  }));
}

describe('without the DLLs, a client in this process gets the answers of the DLLs', () => {
  test('about a network that is created, read, changed and deleted', async () => {
    const answers = await both(networkLife);
    expect(answers.map(({ hresult }) => hresult)).toEqual([
      0, 0, 0x803b001b, 0, 0x80070006, 0, 0, 0x80070490, 0x803b0001,
    ]);
  });

  test('about adapters and routes', async () => {
    await ways.with.library.create('Network', id, settings);
    expect(await both(({ ipHelper }) => ipHelper.readAdapters())).toHaveLength(2);
    expect(await both(({ ipHelper }) => ipHelper.readRoutes())).not.toEqual([]);
  });

  const enumerate = ({ library }: { readonly library: ComputeNetworkLibrary }) =>
    library.enumerate('Network', '{}');

  test.each<[Fault['effect'], number]>([
    [{ hresult: 0x80004005 }, 0x80004005],
    [{ drop: 'before' }, 0x800706be],
    [{ drop: 'after' }, 0x800706be],
  ])('about a call with the fault %j', async (effect, hresult) => {
    hns.inject({ ordinal: 'every', effect });
    expect(await both(enumerate)).toMatchObject({ hresult });
  });

  test('about a call that a restart of the service drops', async () => {
    hns.inject({ ordinal: 'every', effect: { delayMs: 2 ** 31 - 1 } });
    const answer = await both(async (libraries) => {
      const dropped = enumerate(libraries);
      await new Promise((resolve) => setTimeout(resolve, 20));
      hns.restart();
      return dropped;
    });
    expect(answer).toMatchObject({ hresult: 0x800706be });
  });
});
