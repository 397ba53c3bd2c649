import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { graphData } from '../../../src/cli/graph/graph-data.ts';
import { graphPage } from '../../../src/cli/graph/graph-page.ts';
import { bareAddresses, groupByNetwork } from '../../../src/cli/graph/page/presentation.ts';
import { HcnInvalidResponse } from '../../../src/hcn/errors.ts';
import type { Inventory } from '../../../src/model/inventory.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const [overlay, gone, endpoint, unread] = [
  '11111111-0000-4000-8000-000000000000',
  '22222222-0000-4000-8000-000000000000',
  '99999999-0000-4000-8000-000000000000',
  'aaaaaaaa-0000-4000-8000-000000000000',
];
const Policies = [{ Type: 'VxlanPort', Settings: { Port: 4789 } }];

/** Names that contain markup, an endpoint whose network is gone, and an object that HCN does not return. */
const inventory: Inventory = {
  networks: [{ ID: overlay, Name: '<b>', Type: 'Overlay', Policies, SchemaVersion }],
  endpoints: [
    { ID: endpoint, Name: '</script>\u2028\u007f', HostComputeNetwork: gone, State: 1, SchemaVersion },
  ],
  namespaces: [],
  loadBalancers: [],
  unreadable: [{ kind: 'Endpoint', id: unread, error: new HcnInvalidResponse('no JSON') }],
};
const data = graphData(inventory, { taken: new Date('2026-01-02T03:04:05Z'), version: '1.2.3' });

test('the data contains policies, the networks of endpoints, and unreadable objects', () => {
  expect(data).toMatchObject({
    taken: '2026-01-02T03:04:05.000Z',
    version: '1.2.3',
    networks: [{ id: overlay, policies: Policies }],
    endpoints: [{ id: endpoint, networkId: gone }],
    unreadable: [{ id: unread, error: 'no JSON' }],
  });
});

test('the page sorts the endpoints of a network by address, and absent networks last', () => {
  const at = (ID: string, HostComputeNetwork: string, IpAddress: string) => {
    return { ID, Name: '', HostComputeNetwork, IpConfigurations: [{ IpAddress }], State: 1, SchemaVersion };
  };
  const endpoints = [
    at(endpoint, gone, '10.0.1.2'),
    at(endpoint, unread, '10.0.2.2'),
    at(endpoint, overlay, '10.0.0.10'),
    at(endpoint, overlay, '10.0.0.9'),
  ];
  const groups = groupByNetwork(graphData({ ...inventory, endpoints }, { taken: new Date(0), version: '' }));
  expect(groups.map(({ id, absence, local }) => [id, absence, local.map(bareAddresses).join()])).toEqual([
    [overlay, undefined, '10.0.0.9,10.0.0.10'],
    [gone, 'gone', '10.0.1.2'],
    [unread, 'unreadable', '10.0.2.2'],
  ]);
});

describe('the page', () => {
  const page = graphPage(data);
  const between = (start: string, end: string) => page.split(start)[1]?.split(end)[0] ?? '';

  test('contains the data as ASCII that cannot end its element', () => {
    expect(page).toMatch(/^[\x20-\x7e\n]+$/);
    const json = between('<script type="application/json" id="graph">', '</script>');
    expect(json).not.toContain('<');
    expect(JSON.parse(json)).toEqual(data);
  });

  test.each([
    ['style', '<style>', '</style>'],
    ['script', '<script>', '</script>'],
  ])('allows only its own %s', (kind, start, end) => {
    const hash = createHash('sha256').update(between(start, end)).digest('base64');
    expect(page.match(/content="(default-src [^"]*)"/)?.[1]?.split('; ')).toContain(
      `${kind}-src 'sha256-${hash}'`,
    );
  });

  test('allows nothing else', () => {
    const policy = page.match(/content="(default-src [^"]*)"/)?.[1]?.split('; ');
    expect(policy?.filter((directive) => !directive.includes('sha256'))).toEqual([
      "default-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });
});
