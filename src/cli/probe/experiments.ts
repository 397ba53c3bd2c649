import type { Experiment, Row } from './experiment.ts';
import { absentObjectExperiments } from './experiments/absent-objects.ts';
import { adapterExperiments } from './experiments/adapters.ts';
import { endpointExperiments, loadBalancerExperiments } from './experiments/endpoints.ts';
import {
  hostNamespaceExperiments,
  namespaceExperiments,
  serviceExperiments,
} from './experiments/namespaces.ts';
import { networkExperiments } from './experiments/networks.ts';
import { policyExperiments } from './experiments/policies.ts';

/** The experiments of `probe`, by subject. */
export const subjects: Readonly<Record<string, readonly Experiment[]>> = {
  Networks: networkExperiments,
  Adapters: adapterExperiments,
  Endpoints: endpointExperiments,
  Policies: policyExperiments,
  'Endpoints in namespaces': namespaceExperiments,
  "The node's namespace": hostNamespaceExperiments,
  'Load balancers': loadBalancerExperiments,
  'Absent objects': absentObjectExperiments,
  Restarts: serviceExperiments,
};

/** All experiments. */
export const experiments: readonly Experiment[] = Object.values(subjects).flat();

/** The rows of all experiments. */
export const rows: readonly Row[] = experiments.flatMap((one) => one.rows);
