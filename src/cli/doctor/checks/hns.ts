import type { HnsVersion } from '../../../hcn/documents.ts';
import {
  describeMissingFeature,
  describeVersion,
  isSupported,
  missingFeatures,
  requiredFeatures,
} from '../../../plan/features.ts';
import { type Query, quote } from '../../terminal/powershell.ts';
import { type Check, type Diagnosis, fail, pass, type QueryCheck, warn, withValue } from '../check.ts';
import type { Facts } from '../facts.ts';
import { usedConf } from '../runtime/conf-owner.ts';

/** Windows' service hns and its process. */
export interface HnsService {
  /** `Running`, `Stopped` and so on, always in English; empty if the service does not exist. */
  readonly state: string;
  /** `Manual`, `Auto`, `Disabled`. */
  readonly startMode: string;
  /** 0 if the service is not running. */
  readonly processId: number;
  readonly threads: number;
  readonly upSeconds: number;
}

/** https://learn.microsoft.com/windows/win32/cimwin32prov/win32-service and https://learn.microsoft.com/windows/win32/cimwin32prov/win32-process */
const serviceState: Query<HnsService> = {
  script: `
$service = Get-CimInstance Win32_Service -Filter "Name='hns'"
$process = Get-CimInstance Win32_Process -Filter "ProcessId=$([int]$service.ProcessId)"
$seconds = 0
if ($process.CreationDate) { $seconds = [int]((Get-Date) - $process.CreationDate).TotalSeconds }
ConvertTo-Json -Compress @{
  state = "$($service.State)"
  startMode = "$($service.StartMode)"
  processId = [int]$service.ProcessId
  threads = [int]$process.ThreadCount
  seconds = $seconds
}`,
  read: (output) => ({
    state: output.read('state', 'a string'),
    startMode: output.read('startMode', 'a string'),
    processId: output.read('processId', 'a number'),
    threads: output.read('threads', 'a number'),
    upSeconds: output.read('seconds', 'a number'),
  }),
};

/** Above this number Microsoft's own node check reports a deadlock. */
const maxThreads = 200;

/** Checks that the service runs. Windows starts it on demand, so start type Manual is correct. */
export const hnsService: QueryCheck<HnsService> = {
  name: 'HNS service',
  query: serviceState,
  diagnose: (_, result) => withValue(result, (service) => [diagnoseService(service)], 'Get-Service hns'),
};

function diagnoseService({ state, startMode, processId, threads, upSeconds }: HnsService): Diagnosis {
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
  const seen = `running for ${formatDuration(upSeconds)}, process ${processId}, ${threads} threads, start type ${startMode}`;
  if (threads <= maxThreads) return pass(seen);
  return warn(
    `${seen}; more than ${maxThreads} threads usually indicate a deadlock: drain the node, because pods may lose their endpoints, then restart hns`,
    { fix: 'Restart-Service hns -Force' },
  );
}

/** In the largest unit that fits, rounded down. */
function formatDuration(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
  ] as const;
  const [unit, length] = units.find(([, one]) => seconds >= one) ?? (['s', 1] as const);
  return `${Math.floor(seconds / length)} ${unit}`;
}

/**
 * The times of HNS crashes in the last 24 hours, the latest first, in ISO 8601: events 7031 and 7034, whose first property is the
 * service's display name in the language of Windows. https://learn.microsoft.com/powershell/module/microsoft.powershell.diagnostics/get-winevent
 */
const crashTimes: Query<readonly string[]> = {
  script: `
$names = @('hns', (Get-Service hns).DisplayName)
$filter = @{
  LogName = 'System'
  ProviderName = 'Service Control Manager'
  Id = 7031, 7034
  StartTime = (Get-Date).AddDays(-1)
}
try {
  $events = @(Get-WinEvent -FilterHashtable $filter)
} catch {
  if ($_.FullyQualifiedErrorId -notlike 'NoMatchingEventsFound*') { throw }
  $events = @()
}
$times = @($events | Where-Object { $names -contains $_.Properties[0].Value } |
  ForEach-Object { $_.TimeCreated.ToUniversalTime().ToString('s') + 'Z' })
ConvertTo-Json -Compress @{ times = $times }`,
  read: (output) => output.read('times', 'a list of strings'),
};

const showCrashes =
  "Get-WinEvent -FilterHashtable @{ LogName = 'System'; Id = 7031, 7034 } -MaxEvents 20 | Format-List TimeCreated, Message";

/** A crash may remove the endpoints of running pods. */
export const hnsCrashes: QueryCheck<readonly string[]> = {
  name: 'HNS crashes',
  query: crashTimes,
  diagnose: (_, result) =>
    withValue(
      result,
      (times) => {
        const [last] = times;
        if (last === undefined) return [pass('none in the last 24 hours')];
        const seen = `${times.length} in the last 24 hours, the latest at ${last}: older pods may have lost their endpoints`;
        return [warn(seen, { see: showCrashes })];
      },
      showCrashes,
    ),
};

/** Checks that HCN responds and supports what the configuration needs. */
export const hcn: Check = {
  name: 'HCN',
  diagnose: (facts) => {
    const { version, inventory } = facts;
    if ('error' in version) return [hcnError(version.error)];
    const errors =
      'error' in inventory
        ? [inventory.error]
        : (inventory.value.unreadable ?? []).slice(0, maxErrors).map(({ error }) => error.message);
    return [
      pass(describeHns(version.value)),
      ...diagnoseFeatures(version.value, facts),
      ...errors.map(hcnError),
    ];
  },
};

/** The first few objects usually fail for the same reason as the others. */
const maxErrors = 5;

function hcnError(seen: string): Diagnosis {
  const hresult = /0x[0-9a-f]{8}/i.exec(seen)?.[0];
  const see = hresult === undefined ? 'Get-Service hns' : `win-hcn explain ${hresult}`;
  return fail(seen, { see });
}

function describeHns(version: HnsVersion): string {
  const missing = missingFeatures(version);
  const without = missing.length === 0 ? '' : `, without ${missing.join(', ')}`;
  return `HNS ${describeVersion(version)}${without}`;
}

/** The features that the configuration needs and this HNS does not support. */
function diagnoseFeatures(version: HnsVersion, facts: Facts): readonly Diagnosis[] {
  const { configuration, inventory } = facts;
  const { network } = configuration;
  if (network === undefined || 'error' in inventory) return [];
  const { networks, unreadable = [] } = inventory.value;
  const mayExist =
    networks.some(({ Name }) => Name === network.name) || unreadable.some(({ kind }) => kind === 'Network');
  return requiredFeatures(network, !mayExist)
    .filter(({ feature }) => !isSupported(feature, version))
    .map(({ at, feature }) =>
      fail(`${at} is not supported: ${describeMissingFeature(feature, version)}`, {
        see: `win-hcn config plan ${quote(usedConf(facts)?.path ?? '-')}`,
      }),
    );
}
