import type { ScriptResult } from '../../../src/cli/terminal/run-program.ts';
import type { CliEnvironment } from './run-cli.ts';

/** A word that identifies each of the scripts of doctor and show. */
const scripts = {
  account: 'WindowsPrincipal',
  windows: 'Win32_OperatingSystem',
  service: "Name='hns'",
  containerd: "Name='containerd'",
  files: 'Get-Acl',
  ports: 'dynamicport',
  nodePorts: 'Get-NetNatStaticMapping',
  forwarding: 'Get-NetIPInterface',
} as const;

/** The output of each script; a string is an error of PowerShell. */
export type ScriptOutputs = Readonly<Partial<Record<keyof typeof scripts, object | string>>>;

const exe = 'C:\\opt\\cni\\bin\\win-hcn.exe';
const full = 0x1f01ff;
const readAndRun = 0x1200a9;
const administrators = 'S-1-5-32-544';

/** A file or folder with secure access rules, and rules for further accounts. */
export function file(path: string, others: Readonly<Record<string, number>> = {}) {
  const rules = { [administrators]: full, 'S-1-5-18': full, 'S-1-5-32-545': readAndRun, ...others };
  return {
    path,
    folder: !/\.\w+$/.test(path) || path.endsWith('net.d'),
    product: path === exe ? 'win-hcn' : '',
    owner: administrators,
    rules: Object.entries(rules).map(([sid, rights]) => ({
      sid,
      rights,
      inherited: false,
      inheritOnly: false,
    })),
  };
}

/** The access rules of a folder that users may write to. */
export function openToUsers(path: string): object {
  return { files: [file(path, { 'S-1-5-32-545': 6 })] };
}

/** The port ranges of a protocol as netsh prints them. */
function ports(protocol: string, ...excluded: readonly string[]) {
  const title = `Protocol ${protocol} Dynamic Port Range`;
  const line = '---------------------------------';
  return {
    protocol,
    dynamic: ['', title, line, 'Start Port      : 49152', 'Number of Ports : 16384', ''],
    excluded: [
      '',
      `Protocol ${protocol} Port Exclusion Ranges`,
      '',
      'Start Port    End Port',
      ...excluded,
      '',
    ],
  };
}

/** A healthy node: Windows Server 2025 with containerd and win-hcn. */
export const healthy: ScriptOutputs = {
  account: { name: 'NT AUTHORITY\\SYSTEM', elevated: true },
  windows: {
    caption: 'Microsoft Windows Server 2025 Datacenter',
    build: 26100,
    revision: 32690,
    server: true,
  },
  service: { state: 'Running', startMode: 'Manual', processId: 1716, threads: 71, seconds: 266_400 },
  containerd: {
    services: ['"C:\\Program Files\\containerd\\containerd.exe" --run-service'],
    processes: ['"C:\\Program Files\\containerd\\containerd.exe" --run-service'],
  },
  files: {
    files: [
      file('C:\\opt\\cni\\bin'),
      file(exe),
      file('C:\\etc\\cni\\net.d'),
      file('C:\\etc\\cni\\net.d\\10-win-hcn.conflist'),
      file('C:\\ProgramData\\win-hcn'),
    ],
  },
  ports: { protocols: [ports('tcp', '     50000       50059     *'), ports('udp')] },
  nodePorts: { mappings: [], excluded: [] },
  forwarding: { interfaces: [5, 6, 7, 8].map((index) => ({ index, isIPv6: false, forwarding: true })) },
};

const containerdToml = `
version = 2
[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = 'C:\\opt\\cni\\bin'
  conf_dir = 'C:\\etc\\cni\\net.d'
`;

const plugin = {
  type: 'win-hcn',
  networkType: 'L2Bridge',
  subnets: [{ subnet: '10.244.1.0/24' }],
  hostEndpoint: {},
  mtu: 1400,
};

/** The configuration of both nodes. */
export const config = { cniVersion: '1.1.0', name: 'l2bridge', ...plugin };

export const conflist = JSON.stringify({ cniVersion: '1.1.0', name: 'l2bridge', plugins: [plugin] });

/** Two requests of which one failed, an old one that failed too, and a line that a full disk cut off. */
const log = [
  { time: '2020-01-01T00:00:00.000Z', request: 'r0', event: 'answer', code: 100, msg: 'long ago' },
  { time: '2030-01-01T03:00:00.000Z', request: 'r1', event: 'request', command: 'ADD' },
  { time: '2030-01-01T03:00:00.100Z', request: 'r2', event: 'request', command: 'DEL' },
  { time: '2030-01-01T03:00:00.200Z', request: 'r1', event: 'answer', code: 11, msg: 'HNS did not answer' },
  { time: '2030-01-01T03:00:00.300Z', request: 'r2', event: 'answer', code: 0 },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('')
  .concat('{"time":"2030');

export const files = {
  'C:\\Program Files\\containerd\\config.toml': containerdToml,
  'C:\\etc\\cni\\net.d\\10-win-hcn.conflist': conflist,
  [exe]: '',
  'C:\\ProgramData\\win-hcn\\logs\\win-hcn.log': log.replace('"code":11', '"code":0'),
};

/** A node with many problems. */
export const sick: ScriptOutputs = {
  account: { name: 'WIN-3\\operator', elevated: false },
  windows: {
    caption: 'Microsoft Windows Server 2022 Datacenter',
    build: 20348,
    revision: 2582,
    server: true,
  },
  service: { ...Object(healthy.service), threads: 213, seconds: 950 },
  containerd: {
    services: ['C:\\k\\containerd.exe --config "C:\\k\\config.toml" --run-service'],
    processes: [],
  },
  files: {
    files: [
      file('C:\\k', { 'S-1-5-11': 0x1301bf }),
      file('C:\\k\\bin', { 'S-1-5-32-545': 6 }),
      file('C:\\ProgramData\\win-hcn', { 'S-1-5-32-545': 6 }),
    ],
  },
  ports: {
    protocols: [ports('tcp', '     49152       65000'), ports('udp', '     49152       65535')],
  },
  forwarding: { interfaces: [] },
};

/** Its files: the configuration that comes with containerd takes precedence. */
export const sickFiles = {
  'C:\\k\\config.toml': [
    'version = 3',
    "[plugins.'io.containerd.cri.v1.runtime'.cni]",
    "bin_dirs = ['C:\\k\\bin']",
    "conf_dir = 'C:\\k\\conf'",
  ].join('\n'),
  'C:\\k\\conf\\0-containerd-nat.conf': JSON.stringify({ cniVersion: '1.0.0', name: 'nat', type: 'nat' }),
  'C:\\k\\conf\\10-win-hcn.conflist': conflist,
  'C:\\ProgramData\\win-hcn\\logs\\win-hcn.log': log,
};

/** The environment of runCli for one of these nodes. */
export function doctorEnvironment(
  { outside }: { readonly outside: NonNullable<CliEnvironment['system']> },
  outputs: ScriptOutputs | undefined = healthy,
  inFiles: NonNullable<CliEnvironment['files']> = files,
): CliEnvironment & { readonly powershell: (script: string) => ScriptResult } {
  return {
    system: {
      ...outside,
      isFile: (path) => path in inFiles,
      clock: () => new Date('2030-01-01T04:00:00.000Z'),
      logFile: 'C:\\ProgramData\\win-hcn\\logs\\win-hcn.log',
    },
    files: inFiles,
    powershell: (script) => runScript(script, outputs),
  };
}

/** The environment of a node without PowerShell. */
export function withoutPowerShell(node: Parameters<typeof doctorEnvironment>[0]): CliEnvironment {
  const { powershell: _, ...rest } = doctorEnvironment(node);
  return rest;
}

function runScript(script: string, outputs: ScriptOutputs): ScriptResult {
  const [name] = Object.entries(scripts).find(([, word]) => script.includes(word)) ?? [];
  const found = Object.entries(outputs).find(([key]) => key === name)?.[1];
  if (found === undefined) return { problem: 'PowerShell failed with exit code 1: unknown script' };
  return typeof found === 'string' ? { problem: found } : { stdout: `${JSON.stringify(found)}\r\n` };
}
