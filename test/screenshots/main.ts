// npm run screenshots writes the pictures in docs/images/.

import { mkdirSync, writeFileSync } from 'node:fs';
import { chromiumMissing, startBrowser } from '../browser/chromium.ts';
import { doctorPicture, graphPage, graphPicture, pathOf, schemes } from './pictures.ts';

mkdirSync('docs/images', { recursive: true });
for (const scheme of schemes) writeFileSync(pathOf('doctor', scheme), await doctorPicture(scheme));

const missing = chromiumMissing();
if (missing !== undefined)
  throw new Error(`cannot draw the page of graph: ${missing}. Run test/browser/install.sh as root`);
const browser = await startBrowser();
try {
  const html = await graphPage();
  for (const scheme of schemes)
    writeFileSync(pathOf('graph', scheme), await graphPicture(browser, html, scheme));
} finally {
  await browser.close();
}
