import { afterEach, beforeEach, expect, it } from 'vitest';
import { namespace } from '../simulator/computenetwork.ts';
import { startControl } from '../simulator/control.ts';
import { hnsAroundEach, query } from './test-client.ts';

const service = hnsAroundEach();
let url = '';
let close = () => {};

beforeEach(async () => {
  const control = await startControl(service.hns);
  url = control.url;
  close = () => control.server.close();
});
afterEach(() => close());

function send(method: string, path: string, body?: string): Promise<Response> {
  return fetch(`${url}${path}`, { method, ...(body !== undefined && { body }) });
}

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const text = await (await send(method, path, body && JSON.stringify(body))).text();
  return /^[{[]/.test(text) ? JSON.parse(text) : text.trim();
}

it('the control interface shows objects and calls, creates namespaces, injects faults, restarts and reboots', async () => {
  const id = String(await ask('POST', '/namespaces?type=Guest'));
  expect(await query(namespace, id)).toMatchObject({ document: { Type: 'Guest' } });
  expect(await ask('GET', '/dump')).toMatchObject({ networks: [], openHandles: 0, calls: 3 });
  expect(await ask('GET', '/calls')).toMatchObject([{ function: 'HcnOpenNamespace', id }, {}, {}]);
  await ask('POST', '/faults', { effect: { hresult: 0x80004005 } });
  expect((await query(namespace, id)).hresult).toBe('0x80004005');
  await ask('POST', '/faults', { ordinal: 'every', effect: { hresult: 0x80004005 } });
  const failing = [await query(namespace, id), await query(namespace, id)];
  expect(failing.map(({ hresult }) => hresult)).toEqual(['0x80004005', '0x80004005']);
  await ask('DELETE', '/faults');
  expect(await query(namespace, id)).toMatchObject({ document: { Type: 'Guest' } });
  expect(await ask('POST', '/restart')).toEqual({});
  expect(await ask('POST', '/reboot')).toEqual({});
  expect(await ask('GET', '/nothing')).toEqual({ error: 'No such resource.' });
});

it.each([
  ['POST', '/faults', ''],
  ['POST', '/faults', 'no JSON'],
  ['POST', '/faults', '{}'],
  ['POST', '/faults', '{"effect":{"answer":5}}'],
  ['POST', '/faults', '{"effect":{"hresult":"0x80070005"}}'],
  ['POST', '/faults', '{"function":"HcnCreateEndpiont","effect":{"hang":true}}'],
  ['POST', '/namespaces?type=Pod', ''],
])('%s %s %s returns 400 with the reason, and the service continues', async (method, path, body) => {
  const response = await send(method, path, body);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error: expect.stringMatching(/\S/) });
  expect(await ask('GET', '/calls')).toEqual([]);
  expect((await query(namespace, String(await ask('POST', '/namespaces')))).hresult).toBe('0x00000000');
});
