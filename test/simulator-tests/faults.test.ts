import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { network } from '../simulator/computenetwork.ts';
import { createNetwork, hex, hnsAroundEach, nat, query } from './test-client.ts';

const service = hnsAroundEach();
const id = '3c6fab4d-6191-4171-a627-dd46f8c2e392';
const pod = '8b1c4a52-0c39-4b8f-a1f7-3f4a2d9e6b01';

beforeEach(async () => {
  await createNetwork(nat, id);
  service.hns.clearCalls();
});

async function enumerate() {
  return network.enumerate(null);
}

describe('an HRESULT', () => {
  test('replaces the call, and comes with an error record', async () => {
    service.hns.inject({ function: 'HcnEnumerateNetworks', effect: { hresult: 0x80070005 } });
    const answer = await enumerate();
    expect(hex(answer.hresult)).toBe('0x80070005');
    expect(answer.errorRecord).toContain('"ErrorCode":2147942405');
    expect((await enumerate()).hresult).toBe(0);
  });
  test('affects the k-th matching call', async () => {
    service.hns.inject({ function: 'HcnEnumerateNetworks', ordinal: 2, effect: { hresult: 0x80004005 } });
    await network.delete(pod);
    const hresults = [await enumerate(), await enumerate(), await enumerate()].map(
      (answer) => answer.hresult,
    );
    expect(hresults).toEqual([0, 0x80004005, 0]);
  });
});

describe('a hung call', () => {
  test('does not block other calls and ends when the service stops', async () => {
    service.hns.inject({ function: 'HcnOpenNetwork', effect: { hang: true } });
    const hung = network.open(id);
    expect((await enumerate()).hresult).toBe(0);
    await service.hns.stop();
    expect(hex((await hung).hresult)).toBe('0x800706BE');
  });
});

describe('a held call', () => {
  test.each([
    ['before', 1],
    ['after', 0],
  ] as const)('waits %s its effect, and returns once it is released', async (hold, networks) => {
    service.hns.inject({ effect: { hold } });
    const standing = service.hns.nextStanding();
    const held = network.delete(id);
    await standing;
    expect(service.hns.standing).toEqual(['HcnDeleteNetwork']);
    expect(service.hns.dump().networks).toHaveLength(networks);
    service.hns.release();
    expect((await held).hresult).toBe(0);
    expect(service.hns.standing).toEqual([]);
    expect(service.hns.dump().networks).toHaveLength(0);
  });
});

describe('a dropped connection', () => {
  test('after the call loses the answer', async () => {
    service.hns.inject({ function: 'HcnDeleteNetwork', effect: { drop: 'after' } });
    expect(hex((await network.delete(id)).hresult)).toBe('0x800706BE');
    expect(service.hns.dump().networks).toHaveLength(0);
    expect(service.hns.calls).toEqual([{ function: 'HcnDeleteNetwork', id, hresult: 0x800706be }]);
  });
});

describe('calls', () => {
  test('are recorded with object, document and result, Close included', async () => {
    await query(network, id, '{}');
    await network.create(pod, 'not JSON');
    expect(service.hns.calls).toEqual([
      { function: 'HcnOpenNetwork', id, hresult: 0 },
      { function: 'HcnQueryNetworkProperties', id, document: {}, hresult: 0 },
      { function: 'HcnCloseNetwork', id, hresult: 0 },
      { function: 'HcnCreateNetwork', id: pod, document: 'not JSON', hresult: 0x803b001b },
    ]);
  });
});

describe('a client process that dies', () => {
  const module = fileURLToPath(new URL('../simulator/computenetwork.ts', import.meta.url));
  const script = `
    const { network } = await import(${JSON.stringify(module)});
    await network.open('${id}');
    await network.open('${id}');
    process.kill(process.pid, 'SIGKILL');`;
  const runToItsEnd = async (text: string) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', text], {
      env: { ...process.env, WIN_HCN_SIMULATED_HNS: service.hns.address },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await once(child, 'exit');
  };
  test('loses its handles, as by RPC rundown, and leaves its objects [S]', async () => {
    await runToItsEnd(script);
    expect(service.hns.calls).toHaveLength(2);
    await expect.poll(() => service.hns.dump()).toMatchObject({ openHandles: 0, networks: [{ ID: id }] });
  });
});
