import { code } from '../../../cni/error.ts';
import { boundAdapter, isReady } from '../../../plan/observed-network.ts';
import { firstConf } from '../facts.ts';
import type { Check, Judgement } from '../finding.ts';
import { type Plan, plannedNetwork } from '../planned-network.ts';
import { quoted } from '../quoted.ts';

/** Whether the configured network is there and as configured, as ADD and STATUS see it. */
export const network: Check = {
  name: 'network',
  judge: (facts) => {
    const plan = plannedNetwork(facts);
    return plan === undefined ? [] : [judge(plan, firstConf(facts.configuration)?.path ?? '-')];
  },
};

function judge(plan: Plan, file: string): Judgement {
  if (plan.is === 'unknown') return { verdict: 'UNKNOWN', seen: plan.reason };
  const show = `win-hcn show network ${quoted(plan.is === 'refused' ? plan.config.name : plan.network.Name)}`;
  if (plan.is === 'refused') {
    const { message, details, code: number } = plan.error;
    const seen = [message, details].filter(Boolean).join('\n');
    return { verdict: 'FAIL', seen, see: number === code.tryAgainLater ? 'win-hcn ls networks' : show };
  }
  const { found, network: planned } = plan;
  if (found === undefined) return missing(planned.Name, boundAdapter(planned), file);
  if (!isReady(found)) {
    const seen = `"${found.Name}" has no usable ProviderAddress, so that nothing leaves this node on it`;
    return { verdict: 'FAIL', seen, see: 'Get-NetIPAddress -AddressFamily IPv4' };
  }
  return { verdict: 'PASS', seen: `"${found.Name}", ${found.Type}, is as configured` };
}

function missing(name: string, adapter: string | undefined, file: string): Judgement {
  const seen = `"${name}" does not exist yet: the first ADD creates it`;
  if (adapter === undefined) return { verdict: 'PASS', seen };
  return {
    verdict: 'WARN',
    seen: `${seen}, which takes adapter "${adapter}" away from the node for some seconds`,
    fix: `win-hcn network ensure ${quoted(file)}`,
  };
}
