import type { HostComputeNetwork } from '../hcn/documents.ts';

/** `Overlay network "vxlan0"`, on one line. */
export function describeNetwork({ Type, Name }: HostComputeNetwork): string {
  return `${Type} network ${JSON.stringify(Name)}`;
}

/** A network as an argument of a command: its name, or its id if the name would need quotes. */
export function networkArgument({ ID, Name }: HostComputeNetwork): string {
  return /^\w[\w.-]*$/.test(Name) ? Name : (ID ?? 'ID');
}
