import type { StepTargets } from './changes.ts';

const pollMilliseconds = 250;

/** Calls `find` until it returns something or the time is up; at least once. Returns undefined when the time is up. */
export async function poll<T>(
  { timer, now }: Pick<StepTargets, 'timer' | 'now'>,
  milliseconds: number,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const deadline = now() + milliseconds;
  for (;;) {
    const found = await find();
    if (found !== undefined || now() >= deadline) return found;
    await new Promise<void>((resolve) => timer(pollMilliseconds, resolve));
  }
}
