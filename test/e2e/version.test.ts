import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hcnClient } from '../../src/hcn/client.ts';
import { loadComputeNetwork } from '../../src/hcn/computenetwork.ts';
import { HcnInvalidResponse } from '../../src/hcn/errors.ts';
import { type Hns, startHns } from '../simulator/hns.ts';

describe("the Host Network Service's version", () => {
  let hns: Hns;
  beforeAll(async () => {
    hns = await startHns({ profile: 'ws2019' });
    process.env['WIN_HCN_SIMULATED_HNS'] = hns.environment.WIN_HCN_SIMULATED_HNS;
  });
  afterAll(() => hns.stop());

  const newClient = () => hcnClient(loadComputeNetwork(hns.environment.WIN_HCN_LIBRARY));
  const answering = (answer: string): ReturnType<typeof newClient> => {
    hns.inject({ function: 'HNSCall', effect: { answer } });
    return newClient();
  };

  test('is queried once', async () => {
    const client = newClient();
    hns.clearCalls();
    expect(await Promise.all([client.version(), client.version()])).toEqual(
      Array(2).fill({ Major: 9, Minor: 5 }),
    );
    expect(await client.version()).toEqual({ Major: 9, Minor: 5 });
    expect(hns.calls.map(({ function: name }) => name)).toEqual(['HNSCall']);
  });

  test('is an error if the response is one although HNSCall succeeds, as on old builds', async () => {
    const client = answering('{"Success":false,"Error":"Access is denied. ","ErrorCode":2147942405}');
    await expect(client.version()).rejects.toThrow(
      "querying the Host Network Service's version: HCN returned E_ACCESSDENIED (0x80070005)",
    );
  });

  test('is an error if HNSCall fails', async () => {
    hns.inject({ function: 'HNSCall', effect: { hresult: 0x800706d9 } });
    await expect(newClient().version()).rejects.toMatchObject({ hresult: 0x800706d9, unavailable: true });
  });

  test.each(['', 'null', '[]', '{"Success":true}', '{"Success":true,"Output":{"Major":"13","Minor":3}}'])(
    'is an invalid response if it is %j',
    async (answer) => {
      await expect(answering(answer).version()).rejects.toThrow(HcnInvalidResponse);
    },
  );
});
