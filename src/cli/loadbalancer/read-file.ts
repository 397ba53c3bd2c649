import { type LoadBalancerConfig, readLoadBalancer } from '../../config/load-balancer.ts';
import { describeProblem, InvalidConfig } from '../../config/problems.ts';
import { spellAsIn } from '../../config/source-paths.ts';
import { isObject } from '../../json/members.ts';
import { type Diagnostic, readConfigFile } from '../config-file.ts';
import { positionOf } from '../json-positions.ts';
import { inFileOrder } from '../validate/validate-file.ts';

/** The load balancer that a file configures, or all that is wrong with the file. */
export type LoadBalancerFile =
  | { readonly config: LoadBalancerConfig }
  | { readonly problems: readonly Diagnostic[] };

export function readLoadBalancerFile(bytes: Uint8Array): LoadBalancerFile {
  const { value, positions, problems } = readConfigFile(bytes);
  if (value !== undefined && !isObject(value))
    return {
      problems: [...problems, { line: 1, column: 1, path: '', text: 'the file is not a JSON object' }],
    };
  if (value === undefined) return { problems };
  try {
    const config = readLoadBalancer(value);
    return problems.length > 0 ? { problems } : { config };
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    const refused = error.problems.map((problem) => {
      const path = spellAsIn(value, problem.path);
      const position = positionOf(positions, path, problem.kind === 'unknown key');
      return { ...position, path, text: describeProblem({ ...problem, path }) };
    });
    return { problems: inFileOrder([...problems, ...refused]) };
  }
}
