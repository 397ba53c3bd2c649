import { openConfig } from '../../../config/open-config.ts';
import { type Difference, describeDifference, differenceTable } from '../../../plan/network-differences.ts';
import { attachedEndpoints, countAttached } from '../../network/delete-network.ts';
import { quote } from '../../terminal/powershell.ts';
import { countText } from '../../terminal/short-text.ts';
import { fileName } from '../../terminal/windows-path.ts';
import { type Diagnosis, fail } from '../check.ts';
import type { Facts } from '../facts.ts';
import type { NetworkPlan } from '../planned-network.ts';
import { findOwnPlugin, usedConf } from '../runtime/conf-owner.ts';

type DifferentNetwork = NetworkPlan & { readonly is: 'different' };

/** Diagnoses a network that differs from the configuration. If pods use it, the configuration is probably wrong. */
export function diagnoseDifferent(plan: DifferentNetwork, facts: Facts): Diagnosis {
  const { found, config, differences, inventory } = plan;
  const [first] = differences;
  const difference = first === undefined ? '' : describeDifference(first);
  const seen = `"${found.Name}" differs from the configuration: ${difference}\n${differenceTable(differences)}`;
  const see = `win-hcn show network ${quote(found.Name)}`;
  const where = placeOf(first, facts);
  const attached = attachedEndpoints(found, inventory);
  const { pods } = attached;
  if (pods.length > 0) {
    const use = `${countText(pods.length, 'pod')} ${pods.length === 1 ? 'uses' : 'use'} the network`;
    return fail(`${seen}\n${use}: ${where} is probably wrong`, { see });
  }
  const others = countAttached(attached);
  if (others !== '') return fail(`${seen}\nno pod uses the network, but it has ${others}`, { see });
  if (inventory.unreadable !== undefined || config.createNetwork === 'never')
    return fail(`${seen}\n${where} or the network is wrong`, { see });
  return fail(`${seen}\nno pod uses the network: correct ${where}, or delete the network`, {
    fix: `win-hcn network delete ${quote(found.Name)} --yes`,
  });
}

/** `line 9, column 7 of 10-win-hcn.conflist` */
function placeOf(difference: Difference | undefined, facts: Facts): string {
  const { configuration, executable } = facts;
  const file = usedConf(facts);
  const plugin = file && findOwnPlugin(file, { ...facts, programs: configuration.programs });
  if (difference === undefined || file === undefined || plugin === undefined) return 'the configuration';
  const { property } = difference;
  const key = ['networkType', 'adapter'].find((one) => one === property) ?? 'subnets';
  const path = `${plugin.path}${openConfig(plugin.config, executable).pathOf(`/${key}`)}`;
  const { line, column } = file.positionOf(path, true);
  return `line ${line}, column ${column} of ${fileName(file.path)}`;
}
