import type { Query } from '../terminal/powershell.ts';

/** How containerd is started on this node. */
export interface ContainerdCommands {
  /** Whether there is a service `containerd`. A distribution may start containerd as a process instead. */
  readonly isService: boolean;
  readonly isRunning: boolean;
  /** That of the service, if any. Only administrators can change it. */
  readonly serviceCommandLines: readonly string[];
  /**
   * The service's first, then those of processes named containerd.exe. Every user can start such a process: these may be shown, but do not
   * decide what is executed or written. Windows shows the command lines of other accounts' processes to administrators only.
   */
  readonly commandLines: readonly string[];
}

/** Reads the command lines of containerd: of its service and of its running processes. */
export const containerdCommands: Query<ContainerdCommands> = {
  script: `
$services = @(Get-CimInstance Win32_Service -Filter "Name='containerd'" | ForEach-Object { "$($_.PathName)" })
$processes = @(Get-CimInstance Win32_Process -Filter "Name='containerd.exe'" | ForEach-Object { "$($_.CommandLine)" })
ConvertTo-Json -Compress @{ services = $services; processes = $processes }`,
  read: (output) => {
    const [services, processes] = [
      output.read('services', 'a list of strings'),
      output.read('processes', 'a list of strings'),
    ];
    return {
      isService: services.length > 0,
      isRunning: processes.length > 0,
      serviceCommandLines: services.filter(Boolean),
      commandLines: [...services, ...processes].filter(Boolean),
    };
  },
};

const defaultConfigPath = 'C:\\Program Files\\containerd\\config.toml';

/** An option and its value: both in one pair of quotes, only the value in quotes, or no quotes. */
const option = /(?:^|\s)(?:"--?c(?:onfig)?=([^"]+)"|--?c(?:onfig)?[\s=]+(?:"([^"]+)"|([^\s"]+)))/;

/** The first configuration file that containerd's command lines name with `--config` or `-c`; else the default path. */
export function findConfigPath(commandLines: readonly string[]): string {
  return findGivenConfigPath(commandLines) ?? defaultConfigPath;
}

/** The same; undefined if no command line names a file. */
export function findGivenConfigPath(commandLines: readonly string[]): string | undefined {
  const named = commandLines.flatMap((line) => {
    const [, together, quoted, bare] = option.exec(line) ?? [];
    return together ?? quoted ?? bare ?? [];
  });
  return named[0];
}
