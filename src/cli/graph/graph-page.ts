import { script, scriptHash, style, styleHash } from './generated/page.ts';
import type { GraphData } from './graph-data.ts';

/**
 * An HTML page that shows the data. It needs no other files, and its Content-Security-Policy forbids network access. It is ASCII,
 * because Windows PowerShell decodes redirected output with an old code page.
 */
export function graphPage(data: GraphData): string {
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
<noscript>This page requires JavaScript. Its source contains the data as JSON.</noscript>
<script type="application/json" id="graph">${embedded(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** JSON that cannot end the enclosing element. */
function embedded(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
