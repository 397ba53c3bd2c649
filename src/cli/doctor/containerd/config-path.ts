/** Where containerd looks when nobody says otherwise, as an installation on drive C has it. */
export const defaultConfigPath = 'C:\\Program Files\\containerd\\config.toml';

/** The option and its value: in quotes both, the value alone, or neither. */
const option = /(?:^|\s)(?:"--?c(?:onfig)?=([^"]+)"|--?c(?:onfig)?[\s=]+(?:"([^"]+)"|([^\s"]+)))/;

/** The configuration file that a command line of containerd names, `--config` or `-c`; the default where none does. */
export function configPathIn(commandLines: readonly string[]): string {
  const named = commandLines.flatMap((line) => {
    const [, together, quoted, bare] = option.exec(line) ?? [];
    return together ?? quoted ?? bare ?? [];
  });
  return named[0] ?? defaultConfigPath;
}
