import type { Saying } from './effects.ts';
import type { Command } from './scenario.ts';

const success = 0;
const unknownContainer = 3;
const decodingFailure = 6;
const tryAgainLater = 11;
const notAvailable = 50;
const hcnFailure = 100;
const notAsExpected = 102;
const ipamFailure = 103;

/** The code the plugin itself gives in effects.ts. */
const ofPlugin = 11;

/** The codes a command may answer with when one of its calls or runs ends so. */
export function mayAnswer(command: Command, name: string, says: Saying): readonly number[] {
  switch (says) {
    case 'no':
      return [ifStatus(command, hcnFailure)];
    case 'no, then nothing':
      return [ifStatus(command, hcnFailure), ifStatus(command, tryAgainLater)];
    case 'nothing':
    case 'nonsense':
      return [ifStatus(command, tryAgainLater)];
    case 'there is no such object':
      return ofAbsence(command, name).map((code) => ifStatus(command, code));
    case 'the handle is of an object that is gone':
      return [name.startsWith('HcnQuery') ? success : ifStatus(command, hcnFailure)];
    case 'no, by the plugin':
      return [ofPlugin];
    case 'nothing, by the plugin':
      return [ifStatus(command, ipamFailure)];
    case 'nonsense, by the plugin':
      return [command === 'ADD' ? decodingFailure : success];
  }
}

/** STATUS has one code for all that HCN may say. */
function ifStatus(command: Command, code: number): number {
  return command === 'STATUS' && code !== success ? notAvailable : code;
}

/** "Not found" is what HCN says of objects; of lists, documents and changes it is a failure like any other. */
function ofAbsence(command: Command, name: string): readonly number[] {
  if (!/^Hcn(Open|Query|Delete)/.test(name)) return [hcnFailure];
  switch (command) {
    case 'ADD':
      return ofAbsenceInAdd(name);
    case 'CHECK':
      return [/Network/.test(name) ? success : notAsExpected];
    case 'DEL':
    case 'GC':
    case 'STATUS':
      return [success];
  }
}

/**
 * A network that is not found is created, refused and found; so is the host endpoint. The namespace is the container's, or one of
 * those among which the node's own is looked for. The endpoint itself is looked at when it has been made.
 */
function ofAbsenceInAdd(name: string): readonly number[] {
  switch (name) {
    case 'HcnOpenNetwork':
    case 'HcnQueryNetworkProperties':
    case 'HcnOpenEndpoint':
      return [success];
    case 'HcnOpenNamespace':
      return [success, unknownContainer, hcnFailure];
    default:
      return [success, hcnFailure];
  }
}
