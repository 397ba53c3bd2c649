import type { HnsService } from '../collectors/hns-service.ts';
import { type Check, type Judgement, whenKnown } from '../finding.ts';

/** What Microsoft's own check of a node takes for a deadlock. */
const manyThreads = 200;

/** Whether the service runs. Windows starts it when it is needed, so that `Manual` is right. */
export const hnsService: Check = {
  name: 'HNS service',
  judge: ({ service }) => whenKnown(service, (known) => [judge(known)], 'Get-Service hns'),
};

function judge({ state, startMode, processId, threads, upSeconds }: HnsService): Judgement {
  if (state === '')
    return {
      verdict: 'FAIL',
      seen: 'there is no service hns: Windows has no feature Containers',
      fix: 'Enable-WindowsOptionalFeature -Online -FeatureName Containers -All',
    };
  if (startMode === 'Disabled')
    return {
      verdict: 'FAIL',
      seen: `hns is disabled, and ${state.toLowerCase()}`,
      fix: 'Set-Service hns -StartupType Manual; Start-Service hns',
    };
  if (state.endsWith('Pending'))
    return {
      verdict: 'FAIL',
      seen: `hns is ${state.toLowerCase()}, process ${processId}; if it stays so, drain the node and restart Windows`,
      see: 'Get-Service hns',
    };
  if (state !== 'Running')
    return { verdict: 'FAIL', seen: `hns is ${state.toLowerCase()}`, fix: 'Start-Service hns' };
  const seen = `running, process ${processId}, for ${duration(upSeconds)}, ${threads} threads, start type ${startMode}`;
  if (threads <= manyThreads) return { verdict: 'PASS', seen };
  return {
    verdict: 'WARN',
    seen: `${seen}: more than ${manyThreads} threads wait for one another as a rule; drain the node first`,
    fix: 'Restart-Service hns -Force',
  };
}

/** In the largest unit that is there. */
function duration(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
  ] as const;
  const [unit, length] = units.find(([, one]) => seconds >= one) ?? (['s', 1] as const);
  return `${Math.floor(seconds / length)} ${unit}`;
}
