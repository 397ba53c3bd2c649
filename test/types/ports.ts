// Checked by `npm run types`: what a command gets cannot change anything, except by a step.
import { expectTypeOf } from 'vitest';
import type { CommandContext } from '../../src/commands/command-context.ts';
import type { HcnClient, HcnReader } from '../../src/hcn/client.ts';
import type { IpamPlugin, IpamReader } from '../../src/ipam/delegate.ts';
import type { IpHelper, IpHelperReader } from '../../src/iphlpapi/ip-helper.ts';
import type { Changes } from '../../src/steps/changes.ts';
import type { RollbackStep, Step } from '../../src/steps/step.ts';

type Changing<Client, Reader> = Exclude<keyof Client, keyof Reader>;

expectTypeOf<CommandContext['hcn']>().toEqualTypeOf<HcnReader>();
expectTypeOf<CommandContext['ipHelper']>().toEqualTypeOf<IpHelperReader>();
expectTypeOf<CommandContext['changes']>().toEqualTypeOf<Changes>();
expectTypeOf<ReturnType<CommandContext['locateIpam']>>().toEqualTypeOf<IpamReader | undefined>();

expectTypeOf<Changing<HcnClient, HcnReader>>().toEqualTypeOf<
  | 'createNetwork'
  | 'addNetworkPolicies'
  | 'removeNetworkPolicies'
  | 'deleteNetwork'
  | 'createEndpoint'
  | 'addPolicies'
  | 'deleteEndpoint'
  | 'createNamespace'
  | 'deleteNamespace'
  | 'addEndpoint'
  | 'removeEndpoint'
  | 'createLoadBalancer'
  | 'deleteLoadBalancer'
>();
expectTypeOf<keyof HcnReader>()
  .extract<`${'create' | 'add' | 'modify' | 'delete' | 'remove'}${string}`>()
  .toBeNever();
expectTypeOf<Changing<IpHelper, IpHelperReader>>().toEqualTypeOf<
  'enableForwarding' | 'removeDefaultRoutes' | 'createRoute' | 'deleteRoute'
>();
expectTypeOf<keyof IpHelperReader>().toEqualTypeOf<'readAdapters' | 'readRoutes'>();
expectTypeOf<keyof IpamReader>().toEqualTypeOf<'type' | 'findLease' | 'check' | 'status'>();
expectTypeOf<IpamReader>().not.toExtend<IpamPlugin>();

export function changesWithoutStep(context: CommandContext): readonly unknown[] {
  const id = '0b5e1c9a-5e1f-4d8e-9a55-3d3c1a2b4c5d';
  return [
    // @ts-expect-error a command deletes an endpoint by a step
    () => context.hcn.deleteEndpoint(id),
    // @ts-expect-error a command changes routes by a step
    () => context.ipHelper.removeDefaultRoutes(1),
    // @ts-expect-error a command does not run the steps of a rollback
    () => context.changes.apply({ do: 'delete new namespace', id }),
    // @ts-expect-error a step has every field of its row
    () => context.changes.apply({ do: 'create network', id }),
  ];
}

/** The steps that only a rollback runs. */
expectTypeOf<Exclude<RollbackStep['do'], Step['do']>>().toEqualTypeOf<
  | 'remove new remote subnet'
  | 'restore remote subnet'
  | 'restore route'
  | 'delete attached endpoint'
  | 'delete unattached endpoint'
  | 'restore load balancer'
  | 'delete new namespace'
>();
