import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian's containernetworking-plugins puts host-local and static. */
export const debianPlugins = '/usr/lib/cni';

/** Why they cannot be run here, or undefined. */
export function debianPluginsMissing(): string | undefined {
  const absent = ['host-local', 'static'].filter((plugin) => !existsSync(join(debianPlugins, plugin)));
  return absent.length > 0 ? `no ${absent.join(', ')} in ${debianPlugins}` : undefined;
}
