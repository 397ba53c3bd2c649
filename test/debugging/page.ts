// docs/debugging.md: prose, and the output of each command in it.

import type { Scene } from './scene.ts';

/** The prefix of a typed line in a block of the language `console`. */
const prompt = 'PS> ';

/**
 * Returns the page with the current output of its commands. Each section (`##`) with commands has a scene with its title, in which
 * they run in order. Throws for a section without a scene and for a scene without a section.
 */
export async function withOutputs(
  page: string,
  scenes: Readonly<Record<string, () => Promise<Scene>>>,
): Promise<string> {
  const [beginning = '', ...sections] = page.split(/^(?=## )/m);
  const titles = sections.map((section) => /^## (.*)/.exec(section)?.[1] ?? '');
  const orphan = Object.keys(scenes).find((title) => !titles.includes(title));
  if (orphan !== undefined) throw new Error(`the page has no section "${orphan}"`);
  const written = [beginning];
  for (const [index, section] of sections.entries())
    written.push(await withOutputsOf(section, scenes[titles[index] ?? '']));
  return written.join('');
}

async function withOutputsOf(section: string, open: (() => Promise<Scene>) | undefined): Promise<string> {
  const parts = section.split(/^(```console\n[\s\S]*?^```\n)/m);
  if (parts.length === 1) return section;
  if (open === undefined) throw new Error(`there is no scene for ${section.split('\n')[0]}`);
  const scene = await open();
  try {
    const written: string[] = [];
    for (const part of parts) written.push(part.startsWith('```console') ? await rerun(part, scene) : part);
    return written.join('');
  } finally {
    await scene.close();
  }
}

async function rerun(block: string, { run }: Scene): Promise<string> {
  const lines = ['```console'];
  for (const command of block.split('\n').filter((line) => line.startsWith(prompt)))
    lines.push(command, await run(command.slice(prompt.length)));
  return `${lines.filter((line) => line !== '').join('\n')}\n\`\`\`\n`;
}
