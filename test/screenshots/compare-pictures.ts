import type { Browser } from '../browser/chromium.ts';

/**
 * Returns how different two PNG pictures look, from 0 (equal) to 1 (black and white). Both are reduced to the same small size first, so
 * that the fonts and the smoothing of another chromium make little difference.
 */
export async function difference(browser: Browser, one: Uint8Array, other: Uint8Array): Promise<number> {
  const { page } = await browser.open('<!doctype html>');
  const urls = [one, other].map((bytes) => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`);
  return Number(await page.evaluate(`(${inBrowser})(${JSON.stringify(urls)})`));
}

/** Runs in the browser. */
const inBrowser = `async (urls) => {
  const [width, height] = [100, 80];
  const read = async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
    return { shape: image.width / image.height, data: context.getImageData(0, 0, width, height).data };
  };
  const [a, b] = await Promise.all(urls.map(read));
  if (Math.abs(a.shape / b.shape - 1) > 0.05) return 1;
  return a.data.reduce((sum, value, index) => sum + Math.abs(value - b.data[index]), 0) / (a.data.length * 255);
}`;
