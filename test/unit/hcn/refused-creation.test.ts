import { expect, test } from 'vitest';
import { type HcnClient, hcnClient } from '../../../src/hcn/client.ts';
import type { ComputeNetworkLibrary } from '../../../src/hcn/library.ts';

const id = '0b0e1a6c-6a5e-5c52-8f0c-7d7f1c6a2f10';
const SchemaVersion = { Major: 2, Minor: 0 };

/** A client whose HCN refuses every creation with ERROR_NOT_FOUND. */
function refusedClient(): HcnClient {
  const create = async () => ({ hresult: 0x80070490, value: undefined, errorRecord: '' });
  return hcnClient({ create } as unknown as ComputeNetworkLibrary);
}

test('ERROR_NOT_FOUND for the creation of a network has its own remedy', async () => {
  const creating = refusedClient().createNetwork(id, { Name: 'nat', Type: 'NAT', SchemaVersion });
  await expect(creating).rejects.toThrow(
    `creating NAT network "nat" as ${id}: HCN returned ERROR_NOT_FOUND (0x80070490): Element not found. NAT: set "subnets"`,
  );
});

test('ERROR_NOT_FOUND for the creation of a namespace has the general remedy', async () => {
  const creating = refusedClient().createNamespace(id, { Type: 'Host', SchemaVersion });
  await expect(creating).rejects.toThrow('Retry, and check with win-hcn ls');
});
