import { code } from '../../../cni/error.ts';
import { boundAdapter } from '../../../model/network-document.ts';
import { isReady } from '../../../model/readiness.ts';
import { firstConf } from '../facts.ts';
import type { Check, Judgement } from '../finding.ts';
import { type NetworkOutlook, networkOutlook } from '../network-outlook.ts';
import { quoted } from '../quoted.ts';

/** Whether the configured network is there and as configured, as ADD and STATUS see it. */
export const network: Check = {
  name: 'network',
  judge: (facts) => {
    const outlook = networkOutlook(facts);
    return outlook === undefined ? [] : [judge(outlook, firstConf(facts.configuration)?.path ?? '-')];
  },
};

function judge(outlook: NetworkOutlook, file: string): Judgement {
  if (outlook.is === 'unknown') return { verdict: 'UNKNOWN', seen: outlook.reason };
  if (outlook.is === 'refused') {
    const { message, details } = outlook.error;
    return { verdict: 'FAIL', seen: [message, details].filter(Boolean).join('\n'), see: seeFor(outlook) };
  }
  const { found, network: planned } = outlook;
  if (found === undefined) return missing(planned.Name, boundAdapter(planned), file);
  if (!isReady(found)) {
    const seen = `"${found.Name}" has no usable ProviderAddress, so that nothing leaves this node on it`;
    return { verdict: 'FAIL', seen, see: 'Get-NetIPAddress -AddressFamily IPv4' };
  }
  return { verdict: 'PASS', seen: `"${found.Name}", ${found.Type}, is as configured` };
}

/** What is there in the place of what is configured. */
function seeFor({ found, error }: NetworkOutlook & { readonly is: 'refused' }): string {
  if (found !== undefined) return `win-hcn show network ${quoted(found.Name)}`;
  return error.code === code.tryAgainLater ? 'win-hcn ls networks' : 'Get-NetAdapter';
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
