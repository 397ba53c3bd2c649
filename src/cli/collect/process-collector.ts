import { isObject, parseObject } from '../../json/members.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { omittedMark } from './allow-list.ts';
import { type Collector, jsonFile } from './collector.ts';

/** A regular expression for the services of networking and Kubernetes. */
export const services =
  'hns|hcs|vmcompute|nvagent|winnat|sharedaccess|containerd|docker|kubelet|kube-?proxy|flanneld|calico\\w*|antrea\\w*|rke2|k3s|rancher-wins';

const seconds = 30;

const script = `$service = 'Name', 'State', 'StartMode', 'StartName', 'ProcessId', 'ExitCode', @{ n = 'CommandLine'; e = { $_.PathName } }
$created = @{ n = 'Created'; e = { $_.CreationDate.ToUniversalTime().ToString('o') } }
$process = 'Name', 'ProcessId', $created, 'ThreadCount', 'HandleCount', 'WorkingSetSize', 'CommandLine'
$found = @(Get-CimInstance Win32_Service | Where-Object { $_.Name -match '^(${services})$' })
$hns = ($found | Where-Object { $_.Name -eq 'hns' }).ProcessId
$processes = @(Get-CimInstance Win32_Process | Where-Object { $_.ProcessId -eq $hns -or $_.Name -match '^(${services}|dockerd|nssm)\\.exe$' })
$drivers = @(Get-CimInstance Win32_SystemDriver | Where-Object { $_.Name -match '^(vfpext|vmswitch|vmsmp)' })
ConvertTo-Json -Depth 3 @{
  services = @($found | Select-Object $service)
  processes = @($processes | Select-Object $process)
  drivers = @($drivers | Select-Object 'Name', 'State', 'StartMode', 'PathName')
}`;

/** Services, processes and drivers, with command lines reduced to known options. */
export function processCollector({ powershell }: Terminal): Collector {
  return {
    name: 'services',
    about:
      'services and processes of networking and Kubernetes with known options, and drivers of the virtual switch',
    seconds: seconds + 5,
    collect: async () => {
      const result = await powershell(script, seconds);
      if ('problem' in result) return { files: [], problems: [result.problem] };
      const lists = Object.entries(parseObject(result.stdout));
      if (lists.length === 0) return { files: [], problems: ['PowerShell printed no JSON object'] };
      const known = lists.map(([name, list]) => [
        name,
        Array.isArray(list) ? list.map(withKnownOptions) : [],
      ]);
      return { files: [jsonFile('windows/services.json', Object.fromEntries(known))] };
    },
  };
}

function withKnownOptions(process: unknown): unknown {
  if (!isObject(process) || typeof process['CommandLine'] !== 'string') return process;
  return { ...process, CommandLine: knownOptions(process['CommandLine']) };
}

/** Options of programs of Kubernetes and containerd that a diagnosis needs. Their values are not secret. */
const options: ReadonlySet<string> = new Set(
  `bind-address cluster-cidr cluster-dns cni-bin-dir cni-conf-dir config config-file container-runtime-endpoint enable-dsr
  feature-gates hostname-override iface kube-subnet-mgr kubeconfig log-file log-level max-pods network-name node-ip node-name
  pod-cidr proxy-mode root service-cidr service-cluster-ip-range source-vip state v windows-service`.split(
    /\s+/,
  ),
);
const harmless = /^[\w.,:/\\ =%()-]{1,400}$/;

/** The program and the known options of a command line. */
export function knownOptions(line: string): string {
  const [program = '', ...words] = (line.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []).map((word) =>
    word.replaceAll('"', ''),
  );
  const kept = words.flatMap((word, index) => {
    const [, name = '', value] = /^--?([a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (!options.has(name)) return [];
    const next = words[index + 1] ?? '';
    const given = value ?? (next.startsWith('-') ? '' : next);
    return [given === '' ? `--${name}` : `--${name}=${harmless.test(given) ? given : omittedMark}`];
  });
  return [harmless.test(program) ? program : omittedMark, ...kept].join(' ');
}
