import { readContainerdConfig } from '../../../../src/cli/doctor/containerd/cni-folders.ts';
import { readConfFile } from '../../../../src/cli/doctor/containerd/conf-file.ts';
import type { Configuration, Facts } from '../../../../src/cli/doctor/facts.ts';
import { readNetworkConfig } from '../../../../src/config/read-config.ts';

/** Nothing is known but what a test says. */
export function facts(given: Partial<Facts> = {}): Facts {
  const unknown = { unknown: 'nobody asked' };
  return {
    executable: 'C:\\opt\\cni\\bin\\win-hcn.exe',
    account: unknown,
    windows: unknown,
    service: unknown,
    crashes: unknown,
    version: unknown,
    inventory: unknown,
    adapters: unknown,
    containerd: {
      commands: { known: { isService: true, isRunning: true, commandLines: [] } },
      path: 'C:\\k\\config.toml',
      config: {
        known: readContainerdConfig('version = 2'),
      },
      folders: { binDirs: ['C:\\opt\\cni\\bin'], confDir: 'C:\\etc\\cni\\net.d', maxConfNum: 1 },
    },
    configuration: { files: unknown, isGiven: false, programs: {}, network: undefined },
    files: unknown,
    above: [],
    ports: unknown,
    log: { path: '', places: [], answers: unknown },
    ...given,
  };
}

/** A configuration file in containerd's folder. */
export function confFile(name: string, content: object | string) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return readConfFile(
    `C:\\etc\\cni\\net.d\\${name}`,
    new TextEncoder().encode(text),
    'C:\\opt\\cni\\bin\\win-hcn.exe',
  );
}

const network = {
  cniVersion: '1.1.0',
  name: 'pods',
  type: 'win-hcn',
  networkType: 'L2Bridge',
  subnets: [{ subnet: '10.244.1.0/24' }],
};

/** What pods are to get, by a configuration with these members more. */
export function configured(members: object = {}): Configuration {
  const config = { ...network, ...members };
  return {
    files: { known: [confFile('10-pods.conf', config)] },
    isGiven: false,
    programs: {},
    network: readNetworkConfig(config),
  };
}
