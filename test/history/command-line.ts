import { interceptHcnCalls } from '../../src/hcn/library.ts';
import { system } from '../../src/system.ts';
import { doctorEnvironment } from '../e2e/cli/doctor-node.ts';
import { libcniFile } from '../e2e/cli/libcni-files.ts';
import { runCli } from '../e2e/cli/run-cli.ts';
import { expectText } from './expect-text.ts';
import type { Stage } from './stage.ts';

const containerdToml = `version = 2
[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = 'C:\\opt\\cni\\bin'
  conf_dir = 'C:\\etc\\cni\\net.d'
`;

/** What libcni records of a pod. */
const libcni = (containerId: string, network: string) =>
  libcniFile('/var/lib/cni/results', { containerId, network }, `default/${containerId}`);

/** Runs a command line of win-hcn on a healthy Windows Server with the scenario's configuration. */
export async function runWords(
  { hns, outside, config, attached, scripts, files: others, log, logCalls }: Stage,
  words: string,
  exitCode: number,
  parts: readonly string[],
): Promise<void> {
  const interfaces = hns.hostInterfaces().map((one) => ({ ...one, isIPv6: false }));
  const { cniVersion, name, ...plugin } = config;
  const files = {
    ...Object.assign({}, ...[...attached].map((pod) => libcni(pod, String(name)))),
    'C:\\Program Files\\containerd\\config.toml': containerdToml,
    'C:\\opt\\cni\\bin\\win-hcn.exe': '',
    'C:\\opt\\cni\\bin\\test-ipam.exe': '',
    'C:\\ProgramData\\win-hcn\\logs\\win-hcn.log': '',
    'C:\\etc\\cni\\net.d\\10-win-hcn.conflist': JSON.stringify({ cniVersion, name, plugins: [plugin] }),
    'net.conf': JSON.stringify(config),
    ...others,
  };
  const loadLibrary = async () => interceptHcnCalls(outside.loadLibrary ?? system.loadLibrary, logCalls(''));
  const { system: ofDoctor, ...environment } = doctorEnvironment(
    { outside: { ...outside, loadLibrary } },
    { ...scripts, forwarding: { interfaces } },
    files,
  );
  log(`win-hcn ${words}`);
  const printed = await runCli(words.split(' '), {
    ...environment,
    system: {
      ...ofDoctor,
      isFile: (path) => path in files || outside.isFile?.(path) === true,
      executable: '/opt/cni/bin/win-hcn.exe',
    },
  });
  const output = `${printed.stdout}${printed.stderr}`;
  for (const line of output.trimEnd().split('\n')) log(`  | ${line}`);
  for (const part of parts) expectText(`win-hcn ${words}`, output, `…${part}…`);
  expectText(`win-hcn ${words}`, `exit code ${printed.exitCode}`, `exit code ${exitCode}`);
}
