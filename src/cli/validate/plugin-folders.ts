import { pluginName } from '../../config/open-config.ts';
import { defaultFolders } from '../containerd/config.ts';
import type { Session } from '../terminal/session.ts';

/** The existing folders in which a runtime may find plugins. */
export interface PluginFolders {
  /** Whether they are those of CNI_PATH, not default ones. */
  readonly areGiven: boolean;
  readonly folders: readonly PluginFolder[];
}

interface PluginFolder {
  readonly path: string;
  /** The names of the plugins in it, in lower case and without `.exe`. */
  readonly plugins: readonly string[];
}

export const unknownFolders: PluginFolders = { areGiven: false, folders: [] };

/** The default folders of containerd and of Kubernetes installers. */
const usualFolders = [...defaultFolders.binDirs, 'C:\\opt\\cni\\bin'];

/** Lists the folders of CNI_PATH, or the default ones if it is not set. */
export function readPluginFolders({ system, terminal }: Session): PluginFolders {
  const given = (system.environment['CNI_PATH'] ?? '').split(system.windows ? ';' : ':').filter(Boolean);
  const areGiven = given.length > 0;
  const folders = (areGiven ? given : usualFolders).flatMap((path) => {
    try {
      const plugins = terminal.listFolder(path).filter(isProgram).map(pluginName);
      return [{ path, plugins: [...new Set(plugins)].sort() }];
    } catch {
      return [];
    }
  });
  return { areGiven, folders };
}

/** Plugins end with `.exe` on Windows, and have no extension elsewhere. */
function isProgram(name: string): boolean {
  return /\.exe$|^[^.]+$/i.test(name);
}
