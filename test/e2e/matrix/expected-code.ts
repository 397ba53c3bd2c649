import type { Saying } from './effects.ts';
import type { Place } from './places.ts';
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

/**
 * The code a command answers with when one of its calls or runs ends so. There are two only for a second call that hangs: it may be a look
 * that was to say what the first failure means, or one that undoes.
 */
export function mayAnswer(command: Command, place: Place, says: Saying): readonly number[] {
  switch (says) {
    case 'no':
      return [ifStatus(command, hcnFailure)];
    case 'no, then nothing':
      return [ifStatus(command, hcnFailure), ifStatus(command, tryAgainLater)];
    case 'nothing':
    case 'nonsense':
      return [ifStatus(command, tryAgainLater)];
    case 'there is no such object':
      return [ifStatus(command, ofAbsence(command, place))];
    case 'the handle is of an object that is gone':
      return [place.name.startsWith('HcnQuery') ? success : ifStatus(command, hcnFailure)];
    case 'it has more to say':
      return [place.name === 'GetAdaptersAddresses' ? success : tryAgainLater];
    case 'there is no such route':
      return [place.name === 'DeleteIpForwardEntry2' ? success : hcnFailure];
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
function ofAbsence(command: Command, place: Place): number {
  if (!/^Hcn(Open|Query|Delete)/.test(place.name)) return hcnFailure;
  switch (command) {
    case 'ADD':
      return ofAbsenceInAdd(place);
    case 'CHECK':
      return notAsExpected;
    case 'DEL':
    case 'GC':
    case 'STATUS':
      return success;
  }
}

/**
 * The attachment's endpoint is looked at once it has been made, its namespace before, and the node's own is looked for among all of
 * them. A network that is not found is created, refused and found; so is the host endpoint.
 */
function ofAbsenceInAdd({ name, about }: Place): number {
  switch (about) {
    case 'its endpoint':
      return hcnFailure;
    case 'its namespace':
      return name === 'HcnOpenNamespace' ? unknownContainer : success;
    case "the node's namespace":
      return hcnFailure;
    case 'something else':
      return success;
  }
}
