import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';

/** Path of Debian's chromium. */
const executablePath = '/usr/bin/chromium';

/** The reason why no browser can run; undefined if one can. */
export function chromiumMissing(): string | undefined {
  return existsSync(executablePath) ? undefined : `no ${executablePath}`;
}

export interface Browser {
  /** Writes HTML to a file and opens it in a new window. */
  open(html: string | Uint8Array, display?: Display): Promise<Opened>;
  closePages(): Promise<void>;
  close(): Promise<void>;
}

interface Display {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Pixels of the picture for each pixel of the page. Default: 1. */
  readonly scale?: number;
}

export interface Opened {
  readonly page: Page;
  readonly url: string;
  /** The URLs of all requests. */
  readonly requests: readonly string[];
  /** Console messages and uncaught errors. */
  readonly errors: readonly string[];
}

/** Starts a browser without a profile and without background requests. */
export async function startBrowser(): Promise<Browser> {
  const off = ['gpu', 'quic', 'background-networking', 'component-update', 'sync'];
  const args = ['--no-sandbox', '--no-first-run', ...off.map((what) => `--disable-${what}`)];
  const browser = await chromium.launch({ executablePath, headless: true, args });
  const folder = mkdtempSync(join(tmpdir(), 'win-hcn-browser-'));
  let files = 0;
  return {
    open: async (html, { width = 1440, height = 900, colorScheme = 'light', scale = 1 } = {}) => {
      const file = join(folder, `${files++}.html`);
      writeFileSync(file, html);
      const url = pathToFileURL(file).href;
      const page = await browser.newPage({
        viewport: { width, height },
        colorScheme,
        deviceScaleFactor: scale,
      });
      const requests: string[] = [];
      const errors: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      page.on('pageerror', ({ message }) => errors.push(message));
      page.on('console', (message) => errors.push(message.text()));
      await page.goto(url);
      return { page, url, requests, errors };
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
