import type { CommandContext } from './command-context.ts';

const pollMilliseconds = 250;

/** Looks at least once, and then until there is something to see or the time is over. */
export async function poll<T>(
  { timer, now }: Pick<CommandContext, 'timer' | 'now'>,
  milliseconds: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const deadline = now() + milliseconds;
  for (;;) {
    const seen = await look();
    if (seen !== undefined || now() >= deadline) return seen;
    await new Promise<void>((resolve) => timer(pollMilliseconds, resolve));
  }
}
