import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';

/** Where Debian's chromium is. */
const executablePath = '/usr/bin/chromium';

/** Why no browser can be run here, or undefined. */
export function chromiumMissing(): string | undefined {
  return existsSync(executablePath) ? undefined : `no ${executablePath}`;
}

export interface Browser {
  /** Opens a file with this HTML in a window of its own. */
  open(html: string | Uint8Array, look?: Look): Promise<Opened>;
  closePages(): Promise<void>;
  close(): Promise<void>;
}

interface Look {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

export interface Opened {
  readonly page: Page;
  readonly url: string;
  /** The addresses of all that was asked for. */
  readonly requests: readonly string[];
  /** What the browser complained of. */
  readonly complaints: readonly string[];
}

/** A browser without a profile of its own, which asks nobody for anything by itself. */
export async function startBrowser(): Promise<Browser> {
  const off = ['gpu', 'quic', 'background-networking', 'component-update', 'sync'];
  const args = ['--no-sandbox', '--no-first-run', ...off.map((what) => `--disable-${what}`)];
  const browser = await chromium.launch({ executablePath, headless: true, args });
  const folder = mkdtempSync(join(tmpdir(), 'win-hcn-browser-'));
  let files = 0;
  return {
    open: async (html, { width = 1440, colorScheme = 'light' } = {}) => {
      const file = join(folder, `${files++}.html`);
      writeFileSync(file, html);
      const url = pathToFileURL(file).href;
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      const requests: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      page.on('pageerror', ({ message }) => complaints.push(message));
      page.on('console', (message) => complaints.push(message.text()));
      await page.goto(url);
      return { page, url, requests, complaints };
    },
    closePages: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    close: async () => {
      await browser.close();
      rmSync(folder, { recursive: true });
    },
  };
}
