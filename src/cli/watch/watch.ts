import { toCniError } from '../../cni/error.ts';
import { HcnUnavailable } from '../../hcn/errors.ts';
import { printable } from '../printable.ts';
import type { Session } from '../session.ts';
import { changesBetween } from './changes.ts';
import { closingHandles } from './close-handles.ts';
import { newPicture } from './picture.ts';
import type { TakeView, View } from './view.ts';

/**
 * Takes a view every so many seconds until Ctrl+C, and shows it and what has changed since the last one. A look that fails is shown
 * and the next one taken, for a service that restarts. Throws OutputError, and HcnUnavailable where there is no HCN to look at.
 */
export async function watch(what: string, seconds: number, take: TakeView, session: Session): Promise<void> {
  const { terminal } = session;
  const interrupt = terminal.interrupt();
  const interrupted = new Promise<'interrupted'>((resolve) => {
    interrupt.addEventListener('abort', () => resolve('interrupted'), { once: true });
  });
  const show = newPicture(what, seconds, session);
  const { system, close } = closingHandles(session.system);
  let seen: View | undefined;
  let failure: string | undefined;
  while (!interrupt.aborted) {
    const looked = await Promise.race([lookOnce(take, system), interrupted]);
    if (looked === 'interrupted') return;
    close();
    if ('failure' in looked) {
      show(seen, looked.failure, failure === looked.failure ? [] : [`! ${looked.failure}`]);
    } else {
      const again = failure === undefined ? [] : ['+ it can be shown again'];
      const changes = seen === undefined ? [] : changesBetween(seen.entries, looked.view.entries);
      seen = looked.view;
      show(seen, undefined, [...again, ...changes]);
    }
    failure = 'failure' in looked ? looked.failure : undefined;
    await terminal.pause(seconds, interrupt);
  }
}

async function lookOnce(
  take: TakeView,
  system: Session['system'],
): Promise<{ readonly view: View } | { readonly failure: string }> {
  try {
    const view = await take(system);
    if (view.text !== undefined) return { view };
    return { failure: view.remarks.map((remark) => remark.replace(/^win-hcn: /, '')).join('\n') };
  } catch (error) {
    if (error instanceof HcnUnavailable) throw error;
    return { failure: printable(toCniError(error).message) };
  }
}
