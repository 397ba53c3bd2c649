import type { Inventory } from '../../model/inventory.ts';
import { script, scriptHash, style, styleHash } from './generated/page.ts';
import { graphData } from './graph-data.ts';
import type { Occasion } from './occasion.ts';

/**
 * A page of HTML that shows an inventory. It is complete in itself, and its policy forbids it to load or send anything. It is ASCII,
 * because Windows PowerShell takes what is redirected for text of an old code page.
 */
export function graphPage(inventory: Inventory, occasion: Occasion): string {
  const policy = [
    "default-src 'none'",
    `style-src '${styleHash}'`,
    `script-src '${scriptHash}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>win-hcn graph</title>
<style>${style}</style>
</head>
<body>
<noscript>This page shows the data in it with its own script. Its source has the data as JSON.</noscript>
<script type="application/json" id="graph">${embedded(graphData(inventory, occasion))}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** JSON in which nothing can end the element around it. */
function embedded(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
