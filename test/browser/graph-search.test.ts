import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { GraphData } from '../../src/cli/graph/graph-data.ts';
import { runCli } from '../e2e/cli/run-cli.ts';
import { type Browser, chromiumMissing, startBrowser } from './chromium.ts';
import {
  card,
  details,
  detailsTitle,
  searchFor,
  showOnly,
  styleOf,
  texts,
  tile,
  visibleTiles,
  withGraph,
} from './graph-page-parts.ts';
import { startLargeNode } from './large-node.ts';

describe.skipIf(chromiumMissing() !== undefined)(
  'search and filter of the page of graph, in a browser',
  () => {
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

    const headings = (page: Page) =>
      texts(page.locator('.network h2:visible, .network h3:visible, .list h2:visible'));
    /** Includes what only screen readers announce. */
    const status = (page: Page) => page.getByRole('status').allTextContents();
    const explanation = (page: Page) => texts(page.locator('.no-matches > *'));

    test('counts in each heading how many of its objects are shown', async () => {
      const { page } = await browser.open(html);
      const all = [
        'l2bridge L2Bridge',
        '107 endpoints on this node',
        'vxlan0 Overlay',
        '24 endpoints on this node',
        '59 endpoints on other nodes',
        'nat NAT',
        '10 endpoints on this node',
        'Load balancers 14',
      ];
      expect(await headings(page)).toEqual(all);
      await searchFor(page, '10.96.3.10');
      expect(await headings(page)).toEqual([
        'l2bridge L2Bridge',
        '1 of 107 endpoints on this node',
        'vxlan0 Overlay',
        '0 of 24 endpoints on this node',
        '4 of 59 endpoints on other nodes',
        'nat NAT',
        '0 of 10 endpoints on this node',
        'Load balancers 1 of 14',
      ]);
      expect(await status(page)).toEqual(['5 of 200 endpoints']);
      await searchFor(page, '');
      expect(await headings(page)).toEqual(all);
      expect(await status(page)).toEqual(['']);
    });

    test.each([
      ['a word that no object contains', 'nowhere', [], ['No object contains "nowhere".']],
      ['two such words', 'no where', [], ['No object contains "where".']],
      [
        'words of different objects',
        'by-hand vxlan0',
        [],
        ['No object contains "by-hand" and "vxlan0" together.'],
      ],
      [
        'a filter',
        'vxlan0 win-hcn',
        ['leftover'],
        ['24 endpoints match "vxlan0 win-hcn", but none of them is a leftover.'],
      ],
      [
        'several filters',
        '10.244.1.77',
        ['error', 'leftover', 'remote'],
        ['1 endpoint matches "10.244.1.77", but none of them has an error or is a leftover or is remote.'],
      ],
      [
        'a namespace without endpoints',
        'HostDefault',
        [],
        ['Namespace $host matches, but has no endpoints.'],
      ],
    ])('says "no matches" and why: %s', async (_, search, names, reasons) => {
      const { page } = await browser.open(html);
      for (const name of names) await showOnly(page, name);
      await searchFor(page, search);
      const found = await explanation(page);
      const expected = reasons.map((reason) => reason.replace('$host', hostNamespaceOf(html)));
      expect(found).toEqual([
        'No matches',
        ...expected,
        'The search covers pods, containers, addresses, IDs, names, networks, owners and states.',
        'Clear search and filter',
      ]);
      expect(await status(page)).toEqual([`no matches: ${expected.join(' ')}`]);
      expect(await headings(page)).toEqual(['Load balancers 0 of 14']);
    });

    test('says that unreadable objects cannot be found', async () => {
      const partly = (graph: GraphData) => ({
        ...graph,
        unreadable: [{ id: graph.endpoints[0]?.id ?? '', error: 'reading endpoint eefc8545: no JSON' }],
      });
      const { page } = await browser.open(withGraph(html, partly));
      await searchFor(page, 'nowhere');
      expect((await explanation(page)).slice(1, 3)).toEqual([
        'No object contains "nowhere".',
        '1 object could not be read and cannot be found.',
      ]);
    });

    test('clears search and filter from the explanation, and returns to the search', async () => {
      const { page } = await browser.open(html);
      await showOnly(page, 'leftover');
      await searchFor(page, 'nowhere');
      await page.getByRole('button', { name: 'Clear search and filter' }).click();
      expect(await visibleTiles(page).count()).toBe(200);
      expect(await explanation(page)).toEqual([]);
      expect(await page.getByRole('checkbox', { name: 'leftover' }).isChecked()).toBe(false);
      expect(await page.locator(':focus').getAttribute('id')).toBe('search');
    });

    test('does not say "no matches" on a node without objects', async () => {
      const empty = (graph: GraphData) => ({
        ...graph,
        networks: [],
        endpoints: [],
        namespaces: [],
        loadBalancers: [],
      });
      const { page } = await browser.open(withGraph(html, empty));
      expect(await texts(page.getByRole('region', { name: 'networks' }))).toEqual(['HCN has no networks.']);
      expect(await headings(page)).toEqual(['Load balancers 0']);
      expect(await status(page)).toEqual(['']);
    });

    test('deselects an object that a filter hides', async () => {
      const { page } = await browser.open(html);
      await tile(page, '10.244.1.77').click();
      expect(await texts(detailsTitle(page))).toEqual(['endpoint 60b90b83a1e43 close']);
      await showOnly(page, 'leftover');
      expect(await texts(detailsTitle(page))).toEqual(['13 problems']);
      expect(await page.locator('[aria-pressed="true"], .selected, .related').count()).toBe(0);
      expect(await visibleTiles(page).count()).toBe(12);
    });

    test('keeps an object selected that a filter shows', async () => {
      const { page } = await browser.open(html);
      await tile(page, 'c0ffee00').click();
      await showOnly(page, 'leftover');
      expect(await texts(detailsTitle(page))).toEqual(['endpoint c0ffee00 close']);
      expect(await texts(page.locator('.selected'))).toEqual(['c0ffee00 10.244.1.200 leftover']);
    });

    test('deselects a load balancer whose backends a filter hides', async () => {
      const { page } = await browser.open(html);
      await card(page, '10.96.3.10').click();
      await showOnly(page, 'leftover');
      expect(await texts(detailsTitle(page))).toEqual(['13 problems']);
      expect(await page.locator('.lines path').count()).toBe(0);
    });

    test('a selected endpoint does not dim errors and leftovers', async () => {
      const { page } = await browser.open(html);
      const leftover = tile(page, 'c0ffee00');
      const colors = () => Promise.all(['backgroundColor', 'color'].map((name) => styleOf(leftover, name)));
      const before = await colors();
      await tile(page, '10.244.1.77').click();
      expect(await colors()).toEqual(before);
    });

    test('shows search results above the problems on a narrow screen', async () => {
      const { page } = await browser.open(html, { width: 400 });
      const isAbove = async () => {
        const top = async (name: string) =>
          (await page.getByRole('region', { name }).boundingBox())?.y ?? NaN;
        return (await top('networks')) < (await top('details'));
      };
      expect(await isAbove()).toBe(false);
      await searchFor(page, 'by-hand');
      expect(await isAbove()).toBe(true);
    });

    test.each([1920, 1440, 1024, 768])(
      'does not move the search while typing at %i pixels',
      async (width) => {
        const { page } = await browser.open(html, { width });
        const place = async () => {
          const search = await page.getByRole('searchbox').boundingBox();
          const header = await page.locator('header').boundingBox();
          return { x: search?.x, y: search?.y, header: header?.height };
        };
        const before = await place();
        await searchFor(page, '10.24');
        expect(await status(page)).toEqual(['190 of 200 endpoints']);
        expect(await place()).toEqual(before);
      },
    );

    test('problems lead to objects that the search hides', async () => {
      const { page } = await browser.open(html);
      await searchFor(page, 'nowhere');
      await details(page).getByRole('button', { name: 'by-hand' }).click();
      expect(await texts(detailsTitle(page))).toEqual(['endpoint by-hand close']);
    });
  },
);

function hostNamespaceOf(html: string): string {
  const [, id = ''] = /"id":"([\da-f]{8})[\da-f-]*","type":"HostDefault"/.exec(html) ?? [];
  return id;
}
