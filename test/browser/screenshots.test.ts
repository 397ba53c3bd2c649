import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { difference } from '../screenshots/compare-pictures.ts';
import { graphPage, graphPicture, pathOf, schemes } from '../screenshots/pictures.ts';
import { type Browser, chromiumMissing, startBrowser } from './chromium.ts';
import { withGraph } from './graph-page-parts.ts';

/** Another chromium or font changes less than 1 %. */
const tolerance = 0.02;

describe.skipIf(chromiumMissing() !== undefined)('the pictures of graph', () => {
  let browser: Browser;
  let html: string;

  beforeAll(async () => {
    browser = await startBrowser();
    html = await graphPage();
  });
  afterAll(() => browser.close());

  test.each(schemes)(
    'show the current page in %s colors: run npm run screenshots after a change',
    async (scheme) => {
      const drawn = await graphPicture(browser, html, scheme);
      expect(await difference(browser, readFileSync(pathOf('graph', scheme)), drawn)).toBeLessThan(tolerance);
    },
  );

  test('would be different without one of the networks', async () => {
    const without = withGraph(html, (graph) => ({ ...graph, networks: graph.networks.slice(0, 1) }));
    const drawn = await graphPicture(browser, without, 'light');
    expect(await difference(browser, readFileSync(pathOf('graph', 'light')), drawn)).toBeGreaterThan(
      tolerance,
    );
  });

  test.each(schemes)('have less than 200 kB in %s colors', (scheme) => {
    expect(statSync(pathOf('graph', scheme)).size).toBeLessThan(200_000);
  });
});
