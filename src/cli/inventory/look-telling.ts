import type { Inventory } from '../../model/inventory.ts';
import { exitCode, type Session } from '../session.ts';
import { look } from './look.ts';
import { unreadableRemarks } from './unreadable-remarks.ts';

/** Asks HCN for all it has; what cannot be read is told, and is a problem. Throws what HCN's client throws. */
export async function lookTelling(session: Session): Promise<Inventory> {
  const inventory = await look(session.system);
  const remarks = unreadableRemarks(inventory);
  for (const remark of remarks) session.printStderr(remark);
  if (remarks.length > 0) session.setExitCode(exitCode.problemFound);
  return inventory;
}
