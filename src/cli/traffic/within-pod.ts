import { isLoopback } from '../../net/address.ts';

/** That what a pod with these addresses sends to another one goes nowhere, as a sentence; undefined where it is sent. */
export function withinPod(address: string, addresses: readonly string[]): string | undefined {
  const whose = addresses.includes(address)
    ? "the pod's own address"
    : isLoopback(address)
      ? 'a loopback address'
      : undefined;
  return whose && `${address} is ${whose}: what is sent there does not leave the pod.`;
}
