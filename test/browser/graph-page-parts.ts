import type { Locator, Page } from 'playwright-core';
import type { GraphData } from '../../src/cli/graph/graph-data.ts';

export const visibleTiles = (page: Page) => page.locator('.tile:visible');
export const tile = (page: Page, text: string) => page.locator('.tile', { hasText: text });
export const card = (page: Page, text: string) => page.locator('.card', { hasText: text });
export const details = (page: Page) => page.getByRole('region', { name: 'details' });
export const detailsTitle = (page: Page) => details(page).getByRole('heading', { level: 2 });
export const legend = (page: Page) => page.getByRole('complementary', { name: 'legend' });
export const searchFor = (page: Page, text: string) => page.getByRole('searchbox').fill(text);
export const showOnly = (page: Page, name: string) => page.getByRole('checkbox', { name }).check();

/** The texts of elements, each in one line. */
export async function texts(found: Locator): Promise<readonly string[]> {
  return (await found.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

/** The lines of text in an element. */
export async function linesOf(found: Locator): Promise<readonly string[]> {
  const [text = ''] = await found.allInnerTexts();
  return text
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/** In the browser. */
declare const getComputedStyle: (element: unknown) => Readonly<Record<string, string>>;

/** A property of the style that an element is drawn with. */
export function styleOf(found: Locator, property: string): Promise<string | undefined> {
  return found.evaluate((element, name) => getComputedStyle(element)[name], property);
}

interface Sizes {
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** By how many pixels the content of an element exceeds it. */
export function overflowOf(found: Locator): Promise<{ readonly width: number; readonly height: number }> {
  return found.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Sizes) => ({
    width: scrollWidth - clientWidth,
    height: scrollHeight - clientHeight,
  }));
}

/** The same page with other data. */
export function withGraph(page: string, change: (graph: GraphData) => GraphData): string {
  return page.replace(/(?<=id="graph">).*?(?=<\/script>)/, (json) =>
    JSON.stringify(change(JSON.parse(json))).replaceAll('<', '\\u003c'),
  );
}
