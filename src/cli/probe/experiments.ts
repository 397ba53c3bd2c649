import type { Experiment, Row } from './experiment.ts';
import { absentObjectExperiments } from './experiments/absent-objects.ts';
import { adapterExperiments } from './experiments/adapters.ts';
import { endpointExperiments, namespaceExperiments } from './experiments/endpoints.ts';
import { networkExperiments } from './experiments/networks.ts';
import { policyExperiments } from './experiments/policies.ts';

/** The experiments of `probe`, by subject. */
export const experiments: readonly Experiment[] = [
  ...networkExperiments,
  ...adapterExperiments,
  ...endpointExperiments,
  ...policyExperiments,
  ...namespaceExperiments,
  ...absentObjectExperiments,
];

/** The rows of all experiments. */
export const rows: readonly Row[] = experiments.flatMap((one) => one.rows);
