import { CniError, code } from '../../../cni/error.ts';
import { boundAdapter, settingsOf } from '../../../model/network-document.ts';
import { isRemote } from '../../../model/ownership.ts';
import { isReady } from '../../../model/readiness.ts';
import { describeRefusal, describeUse, findAdapterUse, remedyForUse } from '../../../plan/adapter-use.ts';
import { encapOverhead } from '../../../plan/network-adapter.ts';
import { quote } from '../../terminal/powershell.ts';
import { firstFew, shortGuid } from '../../terminal/short-text.ts';
import { type Check, type Diagnosis, fail, noConfiguration, pass, unknown, warn } from '../check.ts';
import { objectKey } from '../object-keys.ts';
import { type NetworkPlan, planConfiguredNetwork } from '../planned-network.ts';
import { usedConf } from '../runtime/conf-owner.ts';
import { diagnoseDifferent } from './different-network.ts';

/** Checks that the configured network exists and matches the configuration, as ADD and STATUS do. */
export const network: Check = {
  name: 'network',
  diagnose: (facts) => {
    const plan = planConfiguredNetwork(facts);
    if (plan === undefined) return [unknown(noConfiguration)];
    if (plan.is === 'different') return [diagnoseDifferent(plan, facts)];
    return [diagnoseNetwork(plan, usedConf(facts)?.path ?? '-')];
  },
};

function diagnoseNetwork(plan: Exclude<NetworkPlan, { readonly is: 'different' }>, file: string): Diagnosis {
  if (plan.is === 'unknown') return unknown(plan.reason);
  if (plan.is === 'refused') {
    const { message, details } = plan.error;
    return fail([message, details].filter(Boolean).join('\n'), { see: showCause(plan) });
  }
  const { found } = plan;
  if (found === undefined) return diagnoseMissing(plan, file);
  if (!isReady(found))
    return fail(`"${found.Name}" has no usable ProviderAddress: its traffic cannot leave this node`, {
      see: 'Get-NetIPAddress -AddressFamily IPv4',
    });
  return pass(`"${found.Name}" (${found.Type}) matches the configuration`);
}

function showCause({ found, error }: NetworkPlan & { readonly is: 'refused' }): string {
  if (found !== undefined) return `win-hcn show network ${quote(found.Name)}`;
  return error.code === code.tryAgainLater ? 'win-hcn ls networks' : 'Get-NetAdapter';
}

function diagnoseMissing(
  { network: planned, inventory, adapters }: NetworkPlan & { readonly is: 'planned' },
  file: string,
): Diagnosis {
  const seen = `"${planned.Name}" does not exist yet`;
  const adapter = boundAdapter(planned);
  if (adapter === undefined) return pass(`${seen}; the first ADD creates it`);
  const use = findAdapterUse(planned, inventory.networks, adapters);
  const used = use && `${describeUse(use)}: ${describeRefusal(use)}; ${remedyForUse(use)}`;
  if (use?.isExclusive) return fail(`${seen}, and ${used}`, { see: 'win-hcn ls networks' });
  const creation = `${seen}; the first ADD creates it, which interrupts adapter "${adapter}" for a few seconds`;
  return warn([creation, used].filter(Boolean).join('; '), {
    fix: `win-hcn network ensure ${quote(file)} --yes`,
  });
}

/** Checks that the configured MTU fits the adapter and that pods have it. Without a configured MTU, HNS decides. */
export const mtu: Check = {
  name: 'MTU',
  diagnose: (facts) => {
    const plan = planConfiguredNetwork(facts);
    if (plan === undefined) return [unknown(noConfiguration)];
    return plan.is === 'planned' && plan.config.mtu !== undefined ? [diagnoseMtu(plan)] : [];
  },
};

function diagnoseMtu(plan: NetworkPlan & { readonly is: 'planned' }): Diagnosis {
  const { config, adapters, inventory } = plan;
  try {
    const overhead = encapOverhead(config, plan.network, adapters);
    const others = inventory.endpoints.filter((endpoint) => {
      const actual = settingsOf(endpoint.Policies, 'EncapOverhead')?.['Overhead'];
      const isPod = endpoint.HostComputeNetwork === plan.network.ID && !isRemote(endpoint);
      return isPod && actual !== undefined && actual !== overhead;
    });
    const [first] = others;
    const seen = `pods ${config.mtu}, adapter "${boundAdapter(plan.network)}" ${(config.mtu ?? 0) + (overhead ?? 0)}`;
    if (first === undefined) return pass(seen);
    const ids = firstFew(others.map(({ ID }) => shortGuid(ID)));
    return warn(`${seen}; endpoints with another MTU, until their pods are recreated: ${ids}`, {
      see: `win-hcn show endpoint ${objectKey(first.ID, inventory.endpoints)}`,
    });
  } catch (error) {
    if (!(error instanceof CniError)) throw error;
    const seen = [error.message, error.details].filter(Boolean).join('; ');
    return fail(seen, { see: 'Get-NetIPInterface' });
  }
}
