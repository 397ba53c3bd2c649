import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of host-local and static in Debian's package containernetworking-plugins. */
export const debianPlugins = '/usr/lib/cni';

/** Why they cannot run here; undefined if they can. */
export function debianPluginsMissing(): string | undefined {
  const absent = ['host-local', 'static'].filter((plugin) => !existsSync(join(debianPlugins, plugin)));
  return absent.length > 0 ? `no ${absent.join(', ')} in ${debianPlugins}` : undefined;
}
