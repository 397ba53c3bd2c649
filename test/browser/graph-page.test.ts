import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { GraphData } from '../../src/cli/graph/graph-data.ts';
import type { Owner } from '../../src/model/ownership.ts';
import { runCli } from '../e2e/cli/run-cli.ts';
import { type Browser, chromiumMissing, startBrowser } from './chromium.ts';
import { lowContrasts } from './contrast.ts';
import {
  card,
  details,
  legend,
  texts,
  tile,
  visibleTiles as tiles,
  detailsTitle as title,
  withGraph,
} from './graph-page-parts.ts';
import { hostileName, startLargeNode } from './large-node.ts';

const missing = chromiumMissing();
/** The container of the first pod, a backend of the first load balancer. */
const first = '821964598f2c';

describe.skipIf(missing !== undefined)('the page of graph, in a browser', () => {
  let browser: Browser;
  let html: string;

  beforeAll(async () => {
    const node = await startLargeNode();
    ({ stdout: html } = await runCli(['graph'], { system: node.outside }));
    await node.stop();
    browser = await startBrowser();
  });
  afterEach(() => browser.closePages());
  afterAll(() => browser.close());

  test('opens from a file without other requests or errors', async () => {
    const { page, url, requests, errors } = await browser.open(html);
    await tile(page, first).click();
    expect({ requests, errors }).toEqual({ requests: [url], errors: [] });
  });

  test('opens as redirected by Windows PowerShell, in UTF-16 with CRLF', async () => {
    const redirected = Buffer.from(`\ufeff${html.replaceAll('\n', '\r\n')}`, 'utf16le');
    const { page, errors } = await browser.open(redirected);
    expect(await tiles(page).count()).toBe(200);
    expect(errors).toEqual([]);
  });

  test('cannot load or send data', async () => {
    let requestCount = 0;
    const server = createServer((_, response) => {
      requestCount += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { page } = await browser.open(html);
    const fetched = await page.evaluate(
      `fetch('${address}', { mode: 'no-cors' }).then(() => 'sent', () => 'refused')`,
    );
    const image = `new Promise((end) => {
      const image = new Image();
      image.onload = image.onerror = ({ type }) => end(type);
      image.src = '${address}';
    })`;
    expect([fetched, await page.evaluate(image)]).toEqual(['refused', 'error']);
    expect(requestCount).toBe(0);
    server.close();
  });

  test('shows 3 networks and 200 endpoints', async () => {
    const { page } = await browser.open(html);
    expect(await texts(page.locator('header p'))).toEqual([
      '3 networks, 200 endpoints, 131 namespaces, 14 load balancers',
      expect.stringMatching(
        /^snapshot taken \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC by win-hcn from its sources$/,
      ),
    ]);
    expect(await texts(page.locator('.network h2, .network .facts, .network h3'))).toEqual([
      'l2bridge L2Bridge',
      'subnet 10.244.1.0/24 via 10.244.1.1 adapter Ethernet owner win-hcn id 259f4964',
      '107 endpoints on this node',
      'vxlan0 Overlay',
      'subnet 10.245.1.0/24 via 10.245.1.1 adapter Ethernet 2 provider address 10.1.0.4 owner win-hcn id f87e0a99',
      '24 endpoints on this node',
      '59 endpoints on other nodes',
      'nat NAT',
      'subnet 172.28.0.0/20 via 172.28.0.1 owner win-hcn id 87e79d9c',
      '10 endpoints on this node',
    ]);
    expect(await tiles(page).count()).toBe(200);
    expect(await page.locator('.card:visible').count()).toBe(14);
  });

  test('starts with problems, which link to their objects', async () => {
    const { page } = await browser.open(html);
    expect(await texts(title(page))).toEqual(['13 problems']);
    expect(await texts(details(page).locator('h3, .hint'))).toEqual([
      'HNS reports HCN_E_PORT_ALREADY_EXISTS 1',
      'win-hcn explain HCN_E_PORT_ALREADY_EXISTS explains this error.',
      'leftover: in no namespace 4',
      'win-hcn gc lists what it would delete.',
      'leftover: in no namespace (owner: another plugin) 5',
      'win-hcn gc --other-plugins lists what it would delete.',
      'leftover: no load balancer refers to it (owner: unknown) 3',
      'namespaces without endpoints 1',
      'Click an object for details. Keys: / search, arrows move, Enter select, Escape close.',
    ]);
    const problems = details(page).getByRole('listitem');
    expect((await texts(problems)).slice(0, 2)).toEqual([
      'by-hand 10.244.1.241',
      'ac4428bf02f28 10.244.1.98',
    ]);
    await problems.first().getByRole('button').click();
    expect(await tile(page, 'by-hand').getAttribute('aria-pressed')).toBe('true');
    expect(await texts(page.locator(':focus'))).toEqual(['by-hand 10.244.1.241 error']);
    expect(await texts(details(page).locator('.alert'))).toEqual([
      'HNS reports HCN_E_PORT_ALREADY_EXISTS. win-hcn explain HCN_E_PORT_ALREADY_EXISTS explains this error.',
    ]);
  });

  test('shows the node name if known', async () => {
    const { page } = await browser.open(withGraph(html, (graph) => ({ ...graph, node: 'WIN-3' })));
    expect([await page.title(), ...(await texts(page.getByRole('heading', { level: 1 })))]).toEqual([
      'win-hcn graph of WIN-3',
      'Host Compute Network of WIN-3',
    ]);
  });

  test('reports no problems in the HCN data', async () => {
    const sound = (graph: GraphData) => ({
      ...graph,
      endpoints: graph.endpoints.filter(({ health, stale }) => health === 'ok' && stale === undefined),
      loadBalancers: [],
    });
    const { page } = await browser.open(withGraph(html, sound));
    expect(await texts(title(page))).toEqual(['No problems in the HCN data']);
  });

  test('shows unreadable objects', async () => {
    const partly = (graph: GraphData) => ({
      ...graph,
      endpoints: graph.endpoints.slice(1),
      unreadable: [{ id: graph.endpoints[0]?.id ?? '', error: 'reading endpoint eefc8545: no JSON' }],
    });
    const { page } = await browser.open(withGraph(html, partly));
    expect(await texts(title(page))).toEqual(['14 problems']);
    expect((await texts(details(page).locator('h3, li'))).slice(0, 2)).toEqual([
      'unreadable, not on this page 1',
      'reading endpoint eefc8545: no JSON',
    ]);
    await card(page, '10.96.0.10').click();
    expect((await texts(details(page).getByRole('listitem'))).at(-1)).toBe('eefc8545 unreadable');
  });

  test('tags endpoints with their condition', async () => {
    const { page } = await browser.open(html);
    const tags = await texts(page.locator('.tile .tag'));
    const counts = Object.groupBy(tags, (tag) => tag);
    expect(Object.entries(counts).map(([tag, of]) => [tag, of?.length])).toEqual([
      ['error', 1],
      ['leftover', 12],
    ]);
  });

  test('shows endpoints with problems first', async () => {
    const { page } = await browser.open(html);
    const shown = await texts(page.getByRole('group', { name: /^endpoints of l2bridge/ }).locator('.tile'));
    expect(shown.map((text) => /error|leftover|$/.exec(text)?.[0]).slice(0, 11)).toEqual([
      'error',
      ...Array.from({ length: 9 }, () => 'leftover'),
      '',
    ]);
  });

  test('gives each owner a different pattern', async () => {
    const owners: Readonly<Record<Owner, true>> = {
      'win-hcn': true,
      'another plugin': true,
      node: true,
      'kube-proxy': true,
      unknown: true,
    };
    const names = Object.keys(owners) as readonly Owner[];
    const { page } = await browser.open(
      withGraph(html, (graph) => ({
        ...graph,
        endpoints: graph.endpoints.map((endpoint, index) => ({
          ...endpoint,
          owner: names[index % names.length] ?? 'unknown',
        })),
      })),
    );
    expect(await texts(legend(page).locator('> *'))).toEqual([
      'owner:',
      ...names,
      'error HNS reports an error',
      'leftover unused endpoint',
      'in no namespace',
    ]);
    const patterns = await page.evaluate(
      `[...document.querySelectorAll('.swatch')].map((swatch) => getComputedStyle(swatch).backgroundImage)`,
    );
    expect(new Set(patterns as readonly string[]).size).toBe(names.length);
    expect(patterns).not.toContain('none');
  });

  test('shows the command that deletes a leftover', async () => {
    const { page } = await browser.open(html);
    await tile(page, '10.244.1.200').click();
    expect(await texts(details(page).locator('.alert'))).toEqual([
      'Leftover: in no namespace. win-hcn gc --other-plugins lists what it would delete.',
    ]);
  });

  test.each([
    ['an address', '10.244.1.77', ['60b90b83a1e43 10.244.1.77']],
    ['the beginning of a container', first, ['821964598f2c9 10.244.1.2']],
    ['an endpoint by name', 'by-HAND', ['by-hand 10.244.1.241 error']],
    ['several words', 'vxlan0 win-hcn 10.245.1.2 64bd', ['64bd2f7b17ab8 10.245.1.2']],
  ])('finds %s', async (_, search, found) => {
    const { page } = await browser.open(html);
    await page.getByRole('searchbox').fill(search);
    expect(await texts(tiles(page))).toEqual(found);
    expect(await texts(page.getByRole('status'))).toEqual([`${found.length} of 200 endpoints`]);
  });

  test('finds a load balancer and its backends by frontend', async () => {
    const { page } = await browser.open(html);
    await page.getByRole('searchbox').fill('10.96.3.10');
    expect(await texts(page.locator('.card:visible'))).toEqual([
      '10.96.3.10:80 80 -> 8080 tcp 5 backends, DSR',
    ]);
    expect(await texts(tiles(page))).toEqual([
      '447881fd4b874 10.244.1.23',
      '10.245.2.22 on 10.0.0.5',
      '10.245.2.25 on 10.0.0.5',
      '10.245.3.23 on 10.0.0.6',
      '10.245.4.24 on 10.0.0.7',
    ]);
  });

  test.each([
    [['leftover'], 12],
    [['error'], 1],
    [['remote'], 59],
    [['error', 'leftover'], 13],
  ])('shows only %j', async (names, count) => {
    const { page } = await browser.open(html);
    for (const name of names) await page.getByRole('checkbox', { name }).check();
    expect(await tiles(page).count()).toBe(count);
  });

  test('shows the details of a clicked endpoint, and draws a line to its load balancer', async () => {
    const { page } = await browser.open(html);
    await tile(page, first).click();
    expect(await texts(title(page))).toEqual(['endpoint 821964598f2c9 close']);
    const facts = details(page).locator('dl').first();
    const names = await texts(facts.locator('dt'));
    const values = await texts(facts.locator('dd'));
    expect(Object.fromEntries(names.map((name, index) => [name, values[index]]))).toEqual({
      addresses: '10.244.1.2/24',
      MAC: '00-15-5D-52-C0-00',
      container: '821964598f2c9a18c3a98ff1615e4153300278abb8429cd9460de0c195dfd5ce',
      interface: 'eth0',
      network: 'l2bridge',
      namespace: expect.stringMatching(/^[\da-f]{8}-[\da-f-]{27}, compartment \d+$/),
      state: 'Attached',
      health: 'ok',
      owner: 'win-hcn',
      routes: '0.0.0.0/0 via 10.244.1.1',
      DNS: '10.96.0.10, search shop.svc.cluster.local',
      name: '821964598f2c9a18c3a98ff1615e4153300278abb8429cd9460de0c195dfd5ce_l2bridge_eth0',
      id: expect.stringMatching(/^eefc8545-/),
    });
    expect(await texts(details(page).getByRole('row'))).toEqual([
      'priority action traffic',
      'In',
      '200 Block any protocol, remote 10.9.0.0/16',
      '300 Allow tcp, local port 80',
      '65500 Allow everything',
      'HNS default Block everything',
      'Out',
      '65500 Allow everything',
      'HNS default Block everything',
    ]);
    expect(await texts(details(page).locator('.policies'))).toEqual([
      'OutBoundNAT leaves as a node address, except to 10.244.0.0/16, 10.96.0.0/12',
    ]);
    expect(await texts(details(page).getByRole('listitem'))).toEqual(['10.96.0.10:80 80 -> 8080 tcp']);
    expect(await texts(page.locator('.related'))).toEqual(['10.96.0.10:80 80 -> 8080 tcp 5 backends']);
    expect(await page.locator('.lines path').count()).toBe(1);
  });

  test('draws lines from a load balancer to its backends', async () => {
    const { page } = await browser.open(html);
    await card(page, '10.96.0.10').click();
    const backends = [
      '10.245.2.10 on 10.0.0.5',
      '10.245.3.11 on 10.0.0.6',
      '10.245.4.12 on 10.0.0.7',
      '10.245.2.13 on 10.0.0.5',
      '821964598f2c9 10.244.1.2',
    ];
    expect(await texts(details(page).getByRole('listitem'))).toEqual(backends);
    expect((await texts(page.locator('.related'))).toSorted()).toEqual(backends.toSorted());
    expect(await page.locator('.lines path').count()).toBe(5);
  });

  test('shows a name with HTML as text', async () => {
    const { page, errors } = await browser.open(html);
    await tile(page, '10.244.1.240').click();
    expect(await details(page).getByText(hostileName, { exact: true }).count()).toBe(1);
    expect(await page.title()).toBe('win-hcn graph');
    expect(await page.locator('img').count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test('works without a mouse', async () => {
    const { page } = await browser.open(html);
    const focused = page.locator(':focus');
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('/');
    await page.keyboard.type('l2bridge');
    expect(await page.getByRole('searchbox').inputValue()).toBe('l2bridge');
    await tiles(page).first().focus();
    await press('ArrowRight', 'ArrowDown');
    expect(await texts(focused)).toEqual(['c0ffee00 10.244.1.200 leftover']);
    await press('ArrowUp', 'ArrowLeft', 'End');
    expect(await texts(focused)).toEqual([`${hostileName} 10.244.1.240`]);
    await press('Home', 'Enter');
    expect(await texts(title(page))).toEqual(['endpoint by-hand close']);
    await details(page).getByRole('button', { name: 'l2bridge' }).focus();
    await press('Escape');
    expect(await texts(title(page))).toEqual(['13 problems']);
    expect(await texts(focused)).toEqual(['by-hand 10.244.1.241 error']);
  });

  test('has one tab stop each for endpoints and load balancers', async () => {
    const { page } = await browser.open(html);
    await page.getByRole('searchbox').fill('10.244.1.2');
    await tile(page, first).click();
    for (const name of ['networks', 'load balancers']) {
      const stops = page
        .getByRole('region', { name })
        .locator('[data-select][data-object][tabindex="0"]:visible');
      expect(await stops.count(), name).toBe(1);
    }
    await page.getByRole('region', { name: 'load balancers' }).locator('[tabindex="0"]').focus();
    await page.keyboard.press('ArrowDown');
    expect(await texts(page.locator(':focus'))).toEqual(['10.96.3.10:80 80 -> 8080 tcp 5 backends, DSR']);
  });

  test('keeps the focus in the details if a link leads to a hidden object', async () => {
    const { page } = await browser.open(html);
    await page.getByRole('searchbox').fill('nowhere');
    await details(page).getByRole('button', { name: 'by-hand' }).click();
    expect(await texts(title(page))).toEqual(['endpoint by-hand close']);
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('details');
  });

  test.each(['light', 'dark'] as const)(
    'has WCAG AA contrast in all text, %s, with and without a selection',
    async (colorScheme) => {
      const { page } = await browser.open(html, { colorScheme });
      const textOf = async () => (await page.evaluate(lowContrasts)) as readonly string[];
      expect(await textOf()).toEqual([]);
      await tile(page, first).click();
      expect(await textOf()).toEqual([]);
      await tile(page, 'by-hand').click();
      expect(await textOf()).toEqual([]);
    },
  );

  test('stays usable with 2000 endpoints', async () => {
    const { page, errors } = await browser.open(withGraph(html, timesTen));
    expect(await tiles(page).count()).toBe(2000);
    await page.getByRole('searchbox').fill('9.244.1.77');
    expect(await texts(tiles(page))).toEqual(['60b90b83a1e43 9.244.1.77']);
    await tiles(page).first().click();
    expect(await texts(title(page))).toEqual(['endpoint 60b90b83a1e43 close']);
    expect(errors).toEqual([]);
  });

  test('follows the light or dark mode of the system', async () => {
    const background = 'getComputedStyle(document.body).backgroundColor';
    const shown = (['light', 'dark'] as const).map(async (colorScheme) => {
      const { page } = await browser.open(html, { colorScheme });
      return page.evaluate(background);
    });
    expect(await Promise.all(shown)).toEqual(['rgb(243, 245, 248)', 'rgb(14, 18, 23)']);
  });

  test.each([1920, 1440, 1024, 768, 400])('needs no horizontal scrolling at %i pixels', async (width) => {
    const { page } = await browser.open(html, { width });
    await tile(page, first).click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });

  test.each([
    [1440, ''],
    [1440, first],
    [800, ''],
    [800, first],
  ])('keeps its panels apart at %i pixels, with the search "%s"', async (width, search) => {
    const { page } = await browser.open(html, { width });
    await page.getByRole('searchbox').fill(search);
    await tile(page, first).click();
    const names = ['details', 'load balancers', 'networks'];
    const boxes = await Promise.all(names.map((name) => page.getByRole('region', { name }).boundingBox()));
    const apart = boxes.every((a, index) => boxes.slice(index + 1).every((b) => a && b && areApart(a, b)));
    expect(apart, JSON.stringify(boxes)).toBe(true);
  });

  test('prints all objects without screen controls', async () => {
    const { page } = await browser.open(html);
    await page.emulateMedia({ media: 'print' });
    expect(await tiles(page).count()).toBe(200);
    expect(await page.getByRole('search').isVisible()).toBe(false);
    expect(await texts(details(page).locator('.hint:visible'))).toEqual([
      'win-hcn explain HCN_E_PORT_ALREADY_EXISTS explains this error.',
      'win-hcn gc lists what it would delete.',
      'win-hcn gc --other-plugins lists what it would delete.',
    ]);
  });
});

/** Ten times as many endpoints, with ids and addresses starting with 0 to 9. */
function timesTen(graph: GraphData): GraphData {
  const more = Array.from({ length: 10 }, (_, index) =>
    graph.endpoints.map((endpoint) => ({
      ...endpoint,
      id: `${index}${endpoint.id.slice(1)}`,
      addresses: endpoint.addresses.map((address) => address.replace(/^\d+/, String(index))),
    })),
  );
  return { ...graph, endpoints: more.flat() };
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function areApart(a: Box, b: Box): boolean {
  const isBefore = (one: Box, other: Box) => one.x + one.width <= other.x || one.y + one.height <= other.y;
  return isBefore(a, b) || isBefore(b, a);
}
