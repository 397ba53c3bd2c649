import type { PortRange } from '../../terminal/node-queries.ts';
import { type Check, type Diagnosis, fail, known, orPass, pass, unknown, warn } from '../finding.ts';
import type { WindowsValues } from '../windows-state.ts';

/** HCN requires an elevated caller. */
export const elevation: Check = {
  name: 'elevation',
  diagnose: ({ windows: { account } }) => {
    const { name, isElevated } = known(account);
    return [
      isElevated
        ? pass(`${name} is elevated`)
        : fail(`${name} is not elevated, and HCN requires administrator rights`, {
            fix: 'Start-Process powershell -Verb RunAs',
          }),
    ];
  },
};

interface KnownFault {
  /** Whether a version of Windows has it. */
  has(version: WindowsValues['version']): boolean;
  /** The network types that it concerns. Default: all. */
  readonly networkTypes?: readonly string[];
  readonly text: string;
}

/** Faults of Windows in container networking, and the revision that fixed each. */
const knownFaults: readonly KnownFault[] = [
  {
    has: ({ isServer, build, revision }) => isServer && build === 17763 && revision < 2268,
    // https://github.com/Azure/aks-engine/pull/4315
    text: 'HNS may hang if several load balancers refer to one endpoint; install KB5006744 (17763.2268) or later',
  },
  {
    has: ({ isServer, build, revision }) =>
      isServer && build === 20348 && revision >= 2582 && revision < 2762,
    // https://github.com/microsoft/Windows-Containers/issues/516
    text: 'KB5040437 and later updates may break pod networks; install KB5044281 (20348.2762) or later',
  },
  {
    has: ({ isServer, build, revision }) => isServer && build === 26100 && revision < 6899,
    networkTypes: ['overlay'],
    // https://github.com/rancher/rancher/issues/50915 announces the fix for the update of October 2025.
    text: 'Overlay networks may not work; install KB5066835 (26100.6899, October 2025) or later',
  },
  {
    has: ({ isServer, build, revision }) => isServer && build === 26100 && revision < 32_690,
    networkTypes: ['nat'],
    // https://github.com/microsoft/Windows-Containers/issues/616
    text: 'ACLs may not apply to NAT endpoints, so blocked traffic passes; install KB5082063 (26100.32690, April 2026) or later',
  },
  {
    has: ({ isServer, build }) => !isServer && build >= 26100,
    networkTypes: ['l2bridge', 'l2tunnel', 'overlay'],
    // https://github.com/microsoft/Windows-Containers/issues/608 and 516
    text: 'Windows 11 24H2 and later may drop the packets of pods, because VFP does not forward packets on client Windows (microsoft/Windows-Containers#608); use Windows Server',
  },
];

/** Compares this build of Windows with the known faults. */
export const windowsBuild: Check = {
  name: 'Windows',
  diagnose: ({ windows, configuration, inventory }) => {
    const version = known(windows.version);
    const { caption, build, revision } = version;
    const seen = `${caption}, build ${build}.${revision}`;
    if (revision === 0)
      return [unknown(`${seen}: its update is not known, so known faults are not compared`)];
    const networks = 'value' in inventory ? inventory.value.networks : [];
    const types = [configuration.network?.networkType ?? '', ...networks.map(({ Type }) => Type)];
    const used = types.map((type) => type.toLowerCase());
    const found = knownFaults
      .filter(
        ({ has, networkTypes = used }) => has(version) && networkTypes.some((one) => used.includes(one)),
      )
      .map(({ text }) => warn(`${seen}: ${text}`, { see: 'Get-HotFix | Sort-Object InstalledOn' }));
    return orPass(found, `${seen}: none of ${knownFaults.length} known faults`);
  },
};

/** Above this number Microsoft's own node check reports a deadlock. */
const maxThreads = 200;

/** Checks that the service runs. Windows starts it on demand, so start type Manual is correct. */
export const hnsService: Check = {
  name: 'HNS service',
  diagnose: ({ windows }) => [diagnoseService(known(windows.service))],
};

function diagnoseService({ state, startMode, processId, threads }: WindowsValues['service']): Diagnosis {
  if (state === '')
    return fail('service hns does not exist: Windows feature Containers is not installed', {
      fix: 'Enable-WindowsOptionalFeature -Online -FeatureName Containers -All',
    });
  if (startMode === 'Disabled')
    return fail(`hns is disabled and ${state.toLowerCase()}`, {
      fix: 'Set-Service hns -StartupType Manual; Start-Service hns',
    });
  if (state.endsWith('Pending'))
    return fail(
      `hns is ${state.toLowerCase()} (process ${processId}); if this does not change, drain the node and restart Windows`,
      { see: 'Get-Service hns' },
    );
  if (state !== 'Running') return fail(`hns is ${state.toLowerCase()}`, { fix: 'Start-Service hns' });
  const seen = `running, process ${processId}, ${threads} threads, start type ${startMode}`;
  if (threads <= maxThreads) return pass(seen);
  return warn(
    `${seen}; more than ${maxThreads} threads usually indicate a deadlock: drain the node, because pods may lose their endpoints, then run Restart-Service hns -Force`,
    { see: 'Get-Service hns' },
  );
}

/** Checks that HCN responds with every object. */
export const hcn: Check = {
  name: 'HCN',
  diagnose: ({ version, inventory, hcnError }) => {
    if ('error' in version) return [diagnoseError(version.error)];
    const unreadable = 'value' in inventory ? (inventory.value.unreadable ?? []) : [];
    const errors = unreadable.map(({ error }) => error.message);
    return [
      pass(`HNS ${version.value.Major}.${version.value.Minor}`),
      ...[...errors, ...(hcnError === undefined ? [] : [hcnError])].map(diagnoseError),
    ];
  },
};

function diagnoseError(seen: string): Diagnosis {
  const hresult = /0x[0-9a-f]{8}/i.exec(seen)?.[0];
  const see = hresult === undefined ? 'Get-Service hns' : `win-hcn explain ${hresult}`;
  return fail(seen, { see });
}

/** HNS reserves ports for outbound NAT and load balancers in blocks of this size. */
const blockSize = 64;
/** Microsoft's own node check warns at this number of free blocks. */
const fewBlocks = 10;

/** Checks that HNS can still reserve ports: without them, DNS and outbound traffic of pods stop. */
export const ports: Check = {
  name: 'ports',
  diagnose: ({ windows }) => known(windows.ports).map(diagnoseProtocol),
};

function diagnoseProtocol({ protocol, dynamic, excluded }: WindowsValues['ports'][number]): Diagnosis {
  const free = freeBlocks(dynamic, excluded);
  const range = `${protocol.toUpperCase()} ${dynamic.first} to ${dynamic.last}`;
  const seen = `${range}: ${free} of ${freeBlocks(dynamic, [])} blocks of ${blockSize} ports are free`;
  if (free > fewBlocks) return pass(seen);
  return (free === 0 ? fail : warn)(`${seen}; HNS needs a block for outbound NAT and for load balancers`, {
    see: `netsh interface ipv4 show excludedportrange protocol=${protocol}`,
  });
}

/** The number of whole blocks between the excluded ranges. */
function freeBlocks({ first, last }: PortRange, excluded: readonly PortRange[]): number {
  let next = first;
  let free = 0;
  const blocksTo = (end: number) => Math.max(0, Math.floor((end - next + 1) / blockSize));
  for (const range of excluded.toSorted((a, b) => a.first - b.first)) {
    free += blocksTo(Math.min(range.first - 1, last));
    next = Math.max(next, range.last + 1);
  }
  return free + blocksTo(last);
}
