import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { GraphData, GraphEndpoint } from '../../src/cli/graph/graph-data.ts';
import { remote, startInventoryNode, web } from '../e2e/cli/inventory-node.ts';
import { runCli } from '../e2e/cli/run-cli.ts';
import { type Browser, chromiumMissing, startBrowser } from './chromium.ts';
import {
  card,
  details,
  detailsTitle,
  legend,
  linesOf,
  overflowOf,
  searchFor,
  styleOf,
  texts,
  tile,
  withGraph,
} from './graph-page-parts.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
/** Those of kube-dns. kube-proxy creates a load balancer for each protocol. */
const [udp, tcp] = ['e5e6032f-bbf7-4b5a-880f-667bebc65505', 'f6e6032f-bbf7-4b5a-880f-667bebc65506'];

describe.skipIf(chromiumMissing() !== undefined)('the page of graph for a small node, in a browser', () => {
  let browser: Browser;
  let html: string;
  let [namespace, hostNamespace] = ['', ''];

  beforeAll(async () => {
    const node = await startInventoryNode();
    [namespace, hostNamespace] = [node.pod.netns, node.hostNamespace];
    for (const [id, Protocol] of [
      [udp, 17],
      [tcp, 6],
    ] as const)
      await node.hcn.createLoadBalancer(id ?? '', {
        HostComputeEndpoints: [web, remote],
        FrontendVIPs: ['10.96.0.2'],
        PortMappings: [{ Protocol, InternalPort: 53, ExternalPort: 53 }],
        SchemaVersion,
      });
    const { stdout } = await runCli(['graph'], { system: node.outside });
    html = withGraph(stdout, withPod);
    await node.stop();
    browser = await startBrowser();
  });
  afterEach(() => browser.closePages());
  afterAll(() => browser.close());

  const linesIn = async (region: string) => {
    const { page } = await browser.open(html);
    return linesOf(page.getByRole('region', { name: region }));
  };

  test('shows a network with the names of pods, and badges for errors and leftovers only', async () => {
    expect(await linesIn('networks')).toEqual([
      'owner:',
      'win-hcn',
      'another plugin',
      'kube-proxy',
      'unknown',
      'leftover',
      'unused endpoint',
      'in no namespace',
      'l2bridge',
      'L2Bridge',
      'subnet',
      '10.244.1.0/24 via 10.244.1.1',
      'adapter',
      'Ethernet',
      'owner',
      'win-hcn',
      'id',
      '259f4964',
      '4 endpoints on this node',
      'gone',
      '10.244.1.3',
      'leftover',
      'c0ffee',
      '10.244.1.30',
      'leftover',
      'shop/web',
      '10.244.1.2',
      'by-hand',
      '10.244.1.40',
      '1 endpoint on other nodes',
      '10.244.2.7',
      'remote',
    ]);
  });

  test('shows load balancers by VIP and port, and one for both protocols of a port', async () => {
    expect(await linesIn('load balancers')).toEqual([
      'Load balancers 3',
      '10.96.0.10:80',
      '80 -> 8080 tcp',
      '2 backends, DSR',
      '10.96.0.2:53',
      '53 udp+tcp',
      '2 load balancers',
      '2 backends',
    ]);
  });

  test('shows the namespaces that no tile shows', async () => {
    expect(await linesIn('details')).toEqual([
      '2 problems',
      'leftover: in no namespace 1',
      'win-hcn gc lists what it would delete.',
      'gone',
      '10.244.1.3',
      'leftover: in no namespace (owner: another plugin) 1',
      'win-hcn gc --other-plugins lists what it would delete.',
      'c0ffee',
      '10.244.1.30',
      'namespaces without endpoints 1',
      hostNamespace.slice(0, 8),
      'HostDefault (node), compartment 1',
      'Click an object for details. Keys: / search, arrows move, Enter select, Escape close.',
    ]);
  });

  test('shows the namespace and the container of a pod in its details', async () => {
    const { page } = await browser.open(html);
    await tile(page, 'shop/web').click();
    expect(await texts(detailsTitle(page))).toEqual(['endpoint shop/web close']);
    expect(await texts(details(page).locator('dl').first().locator('dt, dd'))).toEqual([
      'addresses',
      '10.244.1.2/24',
      'MAC',
      '00-15-5D-52-C0-00',
      'container',
      '0e12d1d5a8cfb5cbc1a91a9b4dd33b6fb8b0ee5d1c7f4a2f6f1f1e9e5c3a7b21',
      'interface',
      'eth0',
      'network',
      'l2bridge',
      'namespace',
      `${namespace}, compartment 2`,
      'state',
      'Attached',
      'health',
      'ok',
      'owner',
      'win-hcn',
      'routes',
      '0.0.0.0/0 via 10.244.1.1',
      'name',
      '0e12d1d5a8cfb5cbc1a91a9b4dd33b6fb8b0ee5d1c7f4a2f6f1f1e9e5c3a7b21_l2bridge_eth0',
      'id',
      web,
    ]);
    expect(await texts(details(page).getByRole('listitem'))).toEqual([
      '10.96.0.10:80 80 -> 8080 tcp',
      '10.96.0.2:53 53 udp+tcp',
    ]);
  });

  test('shows the ids of both load balancers of a port in the details', async () => {
    const { page } = await browser.open(html);
    await card(page, '10.96.0.2:53').click();
    expect(await texts(detailsTitle(page))).toEqual(['load balancer 10.96.0.2:53 close']);
    expect(await texts(details(page).locator('dt, dd'))).toEqual([
      'network',
      'l2bridge',
      'frontends',
      '10.96.0.2',
      'ports',
      '53 udp+tcp',
      'owner',
      'unknown',
      'ids',
      `${udp} ${tcp}`,
    ]);
  });

  test.each([
    [
      'its name',
      { name: 'shop-web', frontends: ['10.96.0.10', '10.96.0.11'] },
      'shop-web 10.96.0.10, 10.96.0.11',
    ],
    ['an IPv6 address', { frontends: ['fd00:10:96::a'] }, '[fd00:10:96::a]:80'],
    ['the first of several addresses', { frontends: ['10.96.0.10', '10.96.0.11'] }, '10.96.0.10:80 +1'],
    ['the addresses of the node', { frontends: [] }, 'node addresses:80'],
  ])('titles a load balancer by %s', async (_, changes, shown) => {
    const { page } = await browser.open(
      withGraph(html, (graph) => ({
        ...graph,
        loadBalancers: graph.loadBalancers.slice(0, 1).map((row) => ({ ...row, ...changes })),
      })),
    );
    expect(await texts(page.locator('.card'))).toEqual([`${shown} 80 -> 8080 tcp 2 backends, DSR`]);
  });

  test('shows the protocols of a port once for a load balancer of several ports', async () => {
    const { page } = await browser.open(
      withGraph(html, (graph) => ({
        ...graph,
        loadBalancers: graph.loadBalancers
          .slice(0, 1)
          .map((row) => ({ ...row, ports: ['53->53/tcp', '53->53/udp', '9153->9153/tcp'] })),
      })),
    );
    expect(await texts(page.locator('.card'))).toEqual([
      '10.96.0.10:53,9153 53 udp+tcp, 9153 tcp 2 backends, DSR',
    ]);
  });

  test.each([
    ['in a namespace, in state Created', { state: 'Created' }, 'solid'],
    ['in a namespace, in state Attached', { state: 'Attached' }, 'solid'],
    ['in no namespace, in state Created', { state: 'Created', namespace: undefined }, 'dashed'],
    ['in no namespace, in state Attached', { state: 'Attached', namespace: undefined }, 'dashed'],
    ['in a namespace that is gone', { state: 'Attached', namespace: udp }, 'dashed'],
  ])('draws an endpoint %s', async (_, changes, style) => {
    const { page } = await browser.open(withGraph(html, (graph) => changeWeb(graph, changes)));
    expect(await styleOf(tile(page, 'shop/web'), 'borderTopStyle')).toBe(style);
    expect((await texts(legend(page).locator('.key'))).at(-1)).toBe('in no namespace');
  });

  test('draws an endpoint in an unreadable namespace with a solid line', async () => {
    const { page } = await browser.open(
      withGraph(html, (graph) => ({
        ...changeWeb(graph, { namespace: udp }),
        unreadable: [{ id: udp ?? '', error: 'reading namespace e5e6032f: no JSON' }],
      })),
    );
    expect(await styleOf(tile(page, 'shop/web'), 'borderTopStyle')).toBe('solid');
  });

  test('does not explain signs that it does not show', async () => {
    const { page } = await browser.open(
      withGraph(html, (graph) => ({
        ...graph,
        endpoints: graph.endpoints.filter(({ id }) => id === web),
        loadBalancers: [],
      })),
    );
    expect(await texts(legend(page).locator('> *'))).toEqual(['owner:', 'win-hcn']);
  });

  test('marks the other endpoints in the namespace of an endpoint, and lists them', async () => {
    const { page } = await browser.open(
      withGraph(html, (graph) => ({
        ...graph,
        endpoints: graph.endpoints.map((endpoint) =>
          endpoint.name === 'by-hand' ? { ...endpoint, namespace } : endpoint,
        ),
        loadBalancers: [],
      })),
    );
    await tile(page, 'shop/web').click();
    expect(await texts(page.locator('.tile.related'))).toEqual(['by-hand 10.244.1.40']);
    expect((await texts(details(page).locator('h3, li'))).slice(0, 2)).toEqual([
      'also in this namespace',
      'by-hand 10.244.1.40',
    ]);
  });

  test.each([1920, 1440, 1024, 768, 400])(
    'shows long ACLs without a horizontal scroll bar at %i pixels',
    async (width) => {
      const acls = (endpoint: GraphEndpoint) =>
        endpoint.acls.map((acl) => ({
          ...acl,
          ruleType: 'Host',
          protocols: 'tcp,udp',
          localAddresses: 'fd00:10:244:1234:5678:9abc:def0:1234,fd00:10:244:1234:5678:9abc:def0:1235',
          localPorts: '1000-2000,3000-4000,5000-6000,7000-8000',
          remoteAddresses: '192.168.100.0/24,172.16.100.0/24,192.168.200.0/24',
        }));
      const { page } = await browser.open(
        withGraph(html, (graph) => ({
          ...graph,
          endpoints: graph.endpoints.map((endpoint) => ({ ...endpoint, acls: acls(endpoint) })),
        })),
        { width },
      );
      await tile(page, 'shop/web').click();
      expect((await texts(details(page).getByRole('row'))).slice(0, 3)).toEqual([
        'priority action traffic',
        'In',
        '200 Block (Host) tcp, udp, local fd00:10:244:1234:5678:9abc:def0:1234, ' +
          'fd00:10:244:1234:5678:9abc:def0:1235, local port 1000-2000, 3000-4000, 5000-6000, 7000-8000, ' +
          'remote 192.168.100.0/24, 172.16.100.0/24, 192.168.200.0/24',
      ]);
      expect((await overflowOf(details(page))).width).toBe(0);
    },
  );

  test.each([1920, 1440, 1024, 768])('shows long pod names in full at %i pixels', async (width) => {
    const pod = 'payments/checkout-gateway-service-85d9c7bb6f-x2x9q';
    const { page } = await browser.open(
      withGraph(html, (graph) => changeWeb(graph, { pod })),
      { width },
    );
    const name = tile(page, 'checkout').locator('.name');
    expect(await texts(name)).toEqual([pod]);
    expect(await overflowOf(name)).toEqual({ width: 0, height: 0 });
  });

  test('finds a pod by its Kubernetes name', async () => {
    const { page } = await browser.open(html);
    await searchFor(page, 'shop/web');
    expect(await texts(page.locator('.tile:visible'))).toEqual(['shop/web 10.244.1.2']);
  });

  const changeWeb = (graph: GraphData, changes: object): GraphData => ({
    ...graph,
    endpoints: graph.endpoints.map((endpoint) =>
      endpoint.id === web ? { ...endpoint, ...changes } : endpoint,
    ),
  });
  const withPod = (graph: GraphData): GraphData => changeWeb(graph, { pod: 'shop/web' });
});
