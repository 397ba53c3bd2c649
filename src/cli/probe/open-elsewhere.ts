import type { Guid } from '../../hcn/guid.ts';
import { hex } from '../../hcn/hresults.ts';
import type { Kind } from '../../hcn/library.ts';
import type { Session } from '../session.ts';
import { NotTried } from './row.ts';

const kinds: readonly Kind[] = ['Network', 'Endpoint', 'Namespace', 'LoadBalancer'];
const seconds = 30;

/** Opens an object in another process of this program and returns the HRESULT. Throws NotTried if the process fails. */
export async function openElsewhere(kind: Kind, id: Guid, { terminal }: Session): Promise<number> {
  const result = await terminal.runSelf(['probe', '--open', `${kind}/${id}`], seconds);
  if ('problem' in result) throw new NotTried(result.problem);
  const hresult = Number(result.stdout.trim() || Number.NaN);
  if (Number.isNaN(hresult))
    throw new NotTried(`the other process printed unexpected output: ${result.stdout.trim()}`);
  return hresult;
}

/** `probe --open KIND/ID`: opens an object and prints the HRESULT. */
export async function openForParent(text: string, session: Session): Promise<void> {
  const [name, id = ''] = text.split('/');
  const kind = kinds.find((one) => one === name);
  if (kind === undefined) throw new NotTried(`cannot open ${text}`);
  const library = await session.system.loadLibrary();
  const { hresult } = await library.open(kind, id);
  session.print(hex(hresult));
}
