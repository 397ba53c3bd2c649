// The pictures of README: doctor as text on a terminal, and the page of graph in chromium.

import type { Browser } from '../browser/chromium.ts';
import { runOnDemoNode } from './demo-node.ts';
import { terminalPicture } from './terminal-picture.ts';

export const schemes = ['light', 'dark'] as const;

type Scheme = (typeof schemes)[number];

/** The columns of the terminal. */
const columns = 100;

export async function doctorPicture(scheme: Scheme): Promise<string> {
  const output = await runOnDemoNode(['doctor'], columns);
  return terminalPicture(`\u001b[2mPS>\u001b[22m win-hcn doctor\n${output}`, columns, scheme);
}

/** The path of a picture in the repository. */
export function pathOf(picture: 'doctor' | 'graph', scheme: Scheme): string {
  return `docs/images/${picture}-${scheme}.${picture === 'doctor' ? 'svg' : 'png'}`;
}

export function graphPage(): Promise<string> {
  return runOnDemoNode(['graph']);
}

/** A PNG picture of the page. */
export async function graphPicture(browser: Browser, html: string, colorScheme: Scheme): Promise<Buffer> {
  const { page } = await browser.open(html, { width: 1040, height: 600, colorScheme, scale: 1.15 });
  return page.screenshot({ fullPage: true });
}
