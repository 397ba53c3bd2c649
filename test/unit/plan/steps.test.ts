import { describe, expect, test } from 'vitest';
import { hostEndpointId } from '../../../src/model/identity.ts';
import { inverse, type Step } from '../../../src/plan/steps.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const id = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
const network = '22222222-2222-3333-4444-555555555555';
const namespace = 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444';
const endpoint = { Name: 'c0ffee_cbr0_eth0', HostComputeNetwork: network, SchemaVersion };
const loadBalancer = { HostComputeEndpoints: [id], PortMappings: [], SchemaVersion };
const older = { HostComputeEndpoints: [], PortMappings: [], SchemaVersion };

describe('what undoes a step', () => {
  test.each<[Step, Step | undefined]>([
    [
      { do: 'create network', id, document: { Name: 'cbr0', SchemaVersion } },
      { do: 'delete unused network', id, name: 'cbr0', hostEndpoints: [hostEndpointId('cbr0')] },
    ],
    [
      { do: 'create endpoint', network, id, document: endpoint },
      { do: 'delete unfinished endpoint', id, name: 'c0ffee_cbr0_eth0', mayAppear: false },
    ],
    [
      { do: 'attach endpoint', endpoint: id, namespace },
      { do: 'delete endpoint', id, namespace },
    ],
    [
      { do: 'create remote endpoint', id, document: endpoint },
      { do: 'delete unused remote endpoint', id, mayAppear: false },
    ],
    [
      { do: 'delete remote endpoint', id, previous: endpoint },
      { do: 'restore remote endpoint', id, document: endpoint },
    ],
    [
      { do: 'create load balancer', id, document: loadBalancer },
      { do: 'delete unfinished load balancer', id, mayAppear: false },
    ],
    [
      { do: 'modify load balancer', id, previous: older, document: loadBalancer },
      { do: 'restore load balancer', id, document: older },
    ],
    [
      { do: 'delete load balancer', id, previous: older },
      { do: 'restore load balancer', id, document: older },
    ],
    [
      { do: 'create namespace', id, document: { SchemaVersion } },
      { do: 'delete unused namespace', id },
    ],
    [{ do: 'add endpoint policies', id, policies: [] }, undefined],
    [{ do: 'create host endpoint', network, id, document: endpoint }, undefined],
    [{ do: 'attach host endpoint', endpoint: id, namespace }, undefined],
    [{ do: 'attach existing endpoint', endpoint: id, namespace }, undefined],
  ])('$do', (step, undo) => {
    expect(inverse(step, 'done')).toEqual(undo);
  });

  test.each<[Step, Step]>([
    [
      { do: 'create endpoint', network, id, document: endpoint },
      { do: 'delete unfinished endpoint', id, name: 'c0ffee_cbr0_eth0', mayAppear: true },
    ],
    [
      { do: 'create remote endpoint', id, document: endpoint },
      { do: 'delete unused remote endpoint', id, mayAppear: true },
    ],
    [
      { do: 'create load balancer', id, document: loadBalancer },
      { do: 'delete unfinished load balancer', id, mayAppear: true },
    ],
  ])('$do, where nobody knows whether it was done, says that it may still come to be', (step, undo) => {
    expect(inverse(step, 'unknown')).toEqual(undo);
  });
});
