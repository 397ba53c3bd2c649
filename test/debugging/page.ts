// docs/debugging.md: prose as somebody wrote it, and under each command in it what that command printed.

import type { Scene } from './scene.ts';

/** The beginning of a line that is typed, in a block of the language `console`. */
const prompt = 'PS> ';

/**
 * The page with what its commands print now. Each section (`##`) with commands has a scene of its title, in which they run in their
 * order; throws where there is none, and for a scene without a section.
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
