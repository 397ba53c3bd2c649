import { afterEach, beforeEach, expect, it } from 'vitest';
import { namespace } from './computenetwork.ts';
import { startControl } from './control.ts';
import { hnsAroundEach, query } from './session.ts';

const service = hnsAroundEach();
let url = '';
let close = () => {};

beforeEach(async () => {
  const control = await startControl(service.hns);
  url = control.url;
  close = () => control.server.close();
});
afterEach(() => close());

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  return /^[{[]/.test(text) ? JSON.parse(text) : text.trim();
}

it('shows objects and calls, makes namespaces, injects faults, restarts', async () => {
  const id = String(await ask('POST', '/namespaces?type=Guest'));
  expect(await query(namespace, id)).toMatchObject({ document: { Type: 'Guest' } });
  expect(await ask('GET', '/dump')).toMatchObject({ networks: [], openHandles: 0 });
  expect(await ask('GET', '/calls')).toMatchObject([{ function: 'HcnOpenNamespace', id }, {}, {}]);
  await ask('POST', '/faults', { effect: { hresult: 0x80004005 } });
  expect((await query(namespace, id)).hresult).toBe('0x80004005');
  expect(await ask('POST', '/restart')).toEqual({});
  expect(await ask('GET', '/nothing')).toEqual({ error: 'No such resource.' });
});
