import { decodeText } from '../../../cni/text.ts';
import type { Terminal } from '../../terminal.ts';
import { defaultFolders, readContainerdConfig } from '../containerd/cni-folders.ts';
import { configPathIn } from '../containerd/config-path.ts';
import { factOf } from '../fact.ts';
import type { Containerd } from '../facts.ts';
import { askContainerdCommands } from './containerd-commands.ts';

/** Reads the configuration of the containerd that runs here, or the one that would. */
export async function readContainerd(terminal: Terminal): Promise<Containerd> {
  const commands = await askContainerdCommands(terminal);
  const path = configPathIn('known' in commands ? commands.known : []);
  const read = async () => {
    try {
      return readContainerdConfig(decodeText(terminal.readFile(path)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(reason.split('\n')[0], { cause: error });
    }
  };
  const config = await factOf(read());
  return { path, config, folders: 'known' in config ? config.known.folders : defaultFolders };
}
