import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { endpoint, network } from '../simulator/computenetwork.ts';
import type { Fault } from '../simulator/faults.ts';
import { createEndpoint, createNetwork, hex, hnsAroundEach, nat, query } from './test-client.ts';

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
  it('replaces the call, and comes with an error record', async () => {
    service.hns.inject({ function: 'HcnEnumerateNetworks', effect: { hresult: 0x80070005 } });
    const answer = await enumerate();
    expect(hex(answer.hresult)).toBe('0x80070005');
    expect(answer.errorRecord).toContain('"ErrorCode":2147942405');
    expect((await enumerate()).hresult).toBe(0);
  });
  it('affects the k-th matching call', async () => {
    service.hns.inject({ function: 'HcnEnumerateNetworks', ordinal: 2, effect: { hresult: 0x80004005 } });
    await network.delete(pod);
    const hresults = [await enumerate(), await enumerate(), await enumerate()].map(
      (answer) => answer.hresult,
    );
    expect(hresults).toEqual([0, 0x80004005, 0]);
  });
  it('affects every matching call until faults are cleared', async () => {
    service.hns.inject({
      function: 'HcnEnumerateNetworks',
      ordinal: 'every',
      effect: { hresult: 0x80004005 },
    });
    const hresults: number[] = [];
    for (let call = 0; call < 3; call += 1) hresults.push((await enumerate()).hresult);
    expect(hresults).toEqual([0x80004005, 0x80004005, 0x80004005]);
    expect((await network.delete(id)).hresult).toBe(0);
    service.hns.clearFaults();
    expect((await enumerate()).hresult).toBe(0);
  });
  it('affects any call if no function is named, and none after faults are cleared', async () => {
    service.hns.inject({ effect: { hresult: 0x80004005 } });
    service.hns.inject({ ordinal: 2, effect: { hresult: 0x80004005 } });
    expect((await network.delete(pod)).hresult).toBe(0x80004005);
    service.hns.clearFaults();
    expect((await enumerate()).hresult).toBe(0);
  });
});

it('a signed HRESULT means the same code [I]', async () => {
  service.hns.inject({ effect: { hresult: -2147024891 } });
  expect(await enumerate()).toMatchObject({
    hresult: 0x80070005,
    errorRecord: '{"Success":false,"Error":"Access is denied. ","ErrorCode":2147942405}',
  });
});

it.each([
  [null, 'A fault is an object.'],
  [{}, 'The effect of a fault is one of'],
  [{ effect: {} }, 'The effect of a fault is one of'],
  [{ effect: { hang: true, delayMs: 1 } }, 'The effect of a fault is one of'],
  [{ effect: { hresult: '0x80070005' } }, 'An hresult is a number of 32 bits'],
  [{ effect: { hresult: 2 ** 32 } }, 'An hresult is a number of 32 bits'],
  [{ effect: { hresult: 1.5 } }, 'An hresult is a number of 32 bits'],
  [{ effect: { delayMs: -1 } }, 'delayMs is a whole number'],
  [{ effect: { hang: false } }, 'hang is true.'],
  [{ effect: { hold: true } }, 'hold is "before" or "after".'],
  [{ effect: { drop: 'during' } }, 'drop is "before" or "after".'],
  [{ effect: { vanish: { kind: 'Pod', id } } }, 'What vanishes has a kind'],
  [{ effect: { vanish: { kind: 'Endpoint', id: 'a' } } }, 'What vanishes has a kind'],
  [{ effect: { vanish: 5 } }, 'What vanishes has a kind'],
  [{ effect: { unhealthy: {} } }, 'An unhealthy endpoint has a state'],
  [{ effect: { unhealthy: 5 } }, 'An unhealthy endpoint has a state'],
  [{ effect: { unhealthy: { state: 7 } } }, 'An unhealthy endpoint has a state'],
  [{ effect: { unhealthy: { lastErrorCode: -1 } } }, 'An unhealthy endpoint has a state'],
  [{ effect: { unhealthy: { state: 5, id: 'a' } } }, 'An unhealthy endpoint has a state'],
  [{ effect: { unhealthy: { state: 5, code: 1 } } }, 'An unhealthy endpoint has a state'],
  [{ effect: { answer: 5 } }, 'answer is a string.'],
  [{ effect: { errorRecord: {} } }, 'errorRecord is a string.'],
  [{ effect: { explode: true } }, '"explode" is not an effect of a fault.'],
  [{ ordinal: 0, effect: { hang: true } }, 'The ordinal of a fault is 1 or more, or "every".'],
  [{ ordinal: 'all', effect: { hang: true } }, 'The ordinal of a fault is 1 or more, or "every".'],
  [{ times: 2, effect: { hang: true } }, 'A fault has function, ordinal and effect, not "times".'],
  [{ function: 'HcnOpenNetworks', effect: { hang: true } }, '"HcnOpenNetworks" is not a function'],
  [{ function: 5, effect: { hang: true } }, '5 is not a function'],
])('%j is not a fault', async (fault, message) => {
  expect(() => service.hns.inject(fault as Fault)).toThrow(message);
  expect((await enumerate()).hresult).toBe(0);
});

it('the error record contains the text of an injected code', async () => {
  service.hns.inject({ effect: { hresult: 0x803b0007 } });
  const record = '{"Success":false,"Error":"The switch-port was not found. ","ErrorCode":2151350279}';
  expect((await enumerate()).errorRecord).toBe(record);
});

it('a namespace can vanish with its container in it', async () => {
  const id = service.hns.createNamespace();
  service.hns.attachContainer(id, '291cd4892b99');
  service.hns.inject({ effect: { vanish: { kind: 'Namespace', id } } });
  await enumerate();
  expect(service.hns.dump().namespaces).toHaveLength(1);
});

describe('a hung call', () => {
  it('does not block other calls and ends when the service stops', async () => {
    service.hns.inject({ function: 'HcnOpenNetwork', effect: { hang: true } });
    const hung = network.open(id);
    expect((await enumerate()).hresult).toBe(0);
    await service.hns.stop();
    expect(hex((await hung).hresult)).toBe('0x800706BE');
  });
  it('ends when the service restarts', async () => {
    service.hns.inject({ effect: { hang: true } });
    const hung = enumerate();
    await expect.poll(() => service.hns.calls).toHaveLength(1);
    service.hns.restart();
    expect(hex((await hung).hresult)).toBe('0x800706BE');
    expect((await enumerate()).hresult).toBe(0);
  });
});

describe('a held call', () => {
  it.each([
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
  it('before its effect has no effect if the service restarts', async () => {
    service.hns.inject({ effect: { hold: 'before' } });
    const standing = service.hns.nextStanding();
    const held = network.delete(id);
    await standing;
    service.hns.restart();
    expect(hex((await held).hresult)).toBe('0x800706BE');
    expect(service.hns.dump().networks).toHaveLength(1);
  });
});

describe('a dropped connection', () => {
  it('before the call prevents its effect', async () => {
    service.hns.inject({ function: 'HcnDeleteNetwork', effect: { drop: 'before' } });
    expect(hex((await network.delete(id)).hresult)).toBe('0x800706BE');
    expect(service.hns.dump().networks).toHaveLength(1);
  });
  it('after the call loses the answer', async () => {
    service.hns.inject({ function: 'HcnDeleteNetwork', effect: { drop: 'after' } });
    expect(hex((await network.delete(id)).hresult)).toBe('0x800706BE');
    expect(service.hns.dump().networks).toHaveLength(0);
    expect(service.hns.calls).toEqual([{ function: 'HcnDeleteNetwork', id, hresult: 0x800706be }]);
  });
});

it('a delayed call does not block other calls', async () => {
  service.hns.inject({ function: 'HcnOpenNetwork', effect: { delayMs: 1000 } });
  const start = performance.now();
  const ended: string[] = [];
  const slow = query(network, id).then(() => ended.push('slow'));
  await enumerate();
  ended.push('other');
  await slow;
  expect(ended).toEqual(['other', 'slow']);
  expect(performance.now() - start).toBeGreaterThanOrEqual(999);
});

it('an object vanishes before the call', async () => {
  await createEndpoint(id, {}, pod);
  service.hns.inject({
    function: 'HcnOpenEndpoint',
    effect: { vanish: { kind: 'Endpoint', id: pod.toUpperCase() } },
  });
  expect((await query(endpoint, pod)).hresult).toBe('0x803B0002');
});

it('a fault replaces an answer and an error record', async () => {
  service.hns.inject({ effect: { answer: 'not JSON' } });
  service.hns.inject({ effect: { errorRecord: '{"Success":false}' } });
  expect(await enumerate()).toMatchObject({
    hresult: 0,
    value: 'not JSON',
    errorRecord: '{"Success":false}',
  });
});

describe('calls', () => {
  it('are recorded with object, document and result, Close included', async () => {
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
  it('loses its handles, as by RPC rundown, and leaves its objects [S]', async () => {
    await runToItsEnd(script);
    expect(service.hns.calls).toHaveLength(2);
    await expect.poll(() => service.hns.dump()).toMatchObject({ openHandles: 0, networks: [{ ID: id }] });
  });
  it('has its last call completed with its handles, which are then closed [S]', async () => {
    const endpointId = '00000000-0000-0000-0000-000000000009';
    service.hns.inject({ function: 'HcnCreateEndpoint', effect: { delayMs: 1500 } });
    await runToItsEnd(`
      const { endpoint, network } = await import(${JSON.stringify(module)});
      const { handle } = await network.open('${id}');
      endpoint.create(handle, '${endpointId}', '{"SchemaVersion":{"Major":2,"Minor":0}}');
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300);`);
    expect(service.hns.dump().endpoints).toEqual([]);
    await expect
      .poll(() => service.hns.dump())
      .toMatchObject({ openHandles: 0, endpoints: [{ ID: endpointId }] });
  });
});
