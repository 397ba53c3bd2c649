import type { Terminal } from '../terminal.ts';

/** Where containerd's configuration is, by its command line, or else by default. */
export async function findContainerdConfig({ powershell }: Terminal): Promise<string> {
  const end = await powershell(commandLines, 20);
  const [, quoted, bare] =
    'stdout' in end ? (/\s(?:-c|--config)[\s=]+(?:"([^"]+)"|(\S+))/.exec(end.stdout) ?? []) : [];
  return quoted ?? bare ?? 'C:\\Program Files\\containerd\\config.toml';
}

const commandLines = `(Get-CimInstance Win32_Service -Filter "Name='containerd'").PathName
(Get-CimInstance Win32_Process -Filter "Name='containerd.exe'").CommandLine
exit 0`;

/** The folders containerd and its installers put CNI configurations into, the one its configuration names first. */
export function confFoldersIn(configuration: string | undefined): readonly string[] {
  const named = [
    ...(configuration ?? '').matchAll(/^[ \t]*conf_dir[ \t]*=[ \t]*(?:"([^"]+)"|'([^']+)')/gm),
  ].map(([, basic, literal = '']) => basic?.replaceAll('\\\\', '\\') ?? literal);
  const all = [...named, 'C:\\etc\\cni\\net.d', 'C:\\Program Files\\containerd\\cni\\conf'];
  return all.filter(
    (one, index) => all.findIndex((other) => other.toLowerCase() === one.toLowerCase()) === index,
  );
}
