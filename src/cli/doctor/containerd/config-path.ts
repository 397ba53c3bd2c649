/** Where containerd looks when nobody says otherwise, as an installation on drive C has it. */
export const defaultConfigPath = 'C:\\Program Files\\containerd\\config.toml';

/** The configuration file that a command line of containerd names, `--config` or `-c`; the default where none does. */
export function configPathIn(commandLines: readonly string[]): string {
  const named = commandLines.flatMap((line) => {
    const [, quoted, bare] = /(?:^|\s)--?c(?:onfig)?[\s=]+(?:"([^"]+)"|([^\s"]+))/.exec(line) ?? [];
    return quoted ?? bare ?? [];
  });
  return named[0] ?? defaultConfigPath;
}
