import type { Effect, Saying } from './effects.ts';
import type { Place } from './places.ts';
import type { Command, Scenario } from './scenario.ts';

const success = 0;
const unknownContainer = 3;
const decodingFailure = 6;
const tryAgainLater = 11;
const notAvailable = 50;
const hcnFailure = 100;
const notAsExpected = 102;
const ipamFailure = 103;

/** With which HNS also says that an adapter is not free yet. */
const notFound = 0x80070490;

/** The code the plugin itself gives in effects.ts. */
const ofPlugin = 11;

/**
 * The codes a command may answer with when one of its calls or runs ends so. Where a second call fails, it may be one that win-hcn can do
 * without, a look that was to say what the first failure means, or one that undoes.
 */
export function mayAnswer(scenario: Scenario, place: Place, effect: Effect): readonly number[] {
  const usual = mayAnswerUsually(scenario, place, effect);
  const isChange = ['ADD', 'DEL', 'GC'].includes(scenario.command);
  const isUnusual = scenario.isUnusual === true && isChange && place.of !== 'IPAM plugin';
  return isUnusual ? [...usual, success, hcnFailure, tryAgainLater] : usual;
}

function mayAnswerUsually(scenario: Scenario, place: Place, effect: Effect): readonly number[] {
  if (isDetachment(scenario, place) && needsDetachment(scenario)) return ofDetachment(place, effect);
  const codes = place.isAfterRefusal ? [afterRefusal(place, effect)] : codesOf(scenario, place, effect.says);
  if (!isForgiven(scenario, place, effect)) return codes;
  return effect.again === undefined ? [success] : [success, ...codes];
}

/** Before its deletion an endpoint leaves its namespace, and HNS may refuse to delete one that did not. */
function isDetachment({ command }: Scenario, { name, isAfterRefusal }: Place): boolean {
  if (command !== 'DEL' && command !== 'GC') return false;
  return (
    !isAfterRefusal && (name === 'HcnModifyNamespace' || (command === 'DEL' && name === 'HcnOpenNamespace'))
  );
}

function needsDetachment({ hns }: Scenario): boolean {
  const { attachedEndpointDeletion = 'accepted' } = hns?.switches ?? {};
  return attachedEndpointDeletion === 'refused';
}

/** Whatever becomes of it, the deletion decides: the endpoint may have left all the same, or have another id, and there may be none. */
function ofDetachment({ name, hresult }: Place, effect: Effect): readonly number[] {
  const fault: object = effect.fault ?? {};
  if (effect.again !== undefined) return [success, tryAgainLater, hcnFailure];
  if (name === 'HcnOpenNamespace') return [success, hcnFailure];
  const isDone = [{ hold: 'after' }, { drop: 'after' }].some((done) => isEqual(fault, done));
  return isDone || 'errorRecord' in fault || hresult !== 0 ? [success] : [hcnFailure];
}

/** The refusal stands unless the endpoint is gone. */
function afterRefusal({ name }: Place, { says }: Effect): number {
  const isReopened = says === 'the handle is of an object that is gone' && name.startsWith('HcnQuery');
  const isGone = says === 'there is no such object' && name.includes('Endpoint');
  return isReopened || isGone ? success : hcnFailure;
}

function codesOf(scenario: Scenario, place: Place, says: Saying): readonly number[] {
  const { command } = scenario;
  switch (says) {
    case 'nothing that is wrong':
      return [success];
    case 'no':
      return [ifStatus(command, hcnFailure)];
    case 'no, then nothing':
      return [ifStatus(command, hcnFailure), ifStatus(command, tryAgainLater)];
    case 'nothing in time':
    case 'that its time is up':
      return [command === 'STATUS' ? success : tryAgainLater];
    case 'nothing':
    case 'nonsense':
      return [ifStatus(command, tryAgainLater)];
    case 'there is no such object':
      return [ifStatus(command, ofAbsence(command, place))];
    case 'the handle is of an object that is gone':
      if (place.isOfCreated && choosesIds(scenario))
        return [place.name === 'HcnQueryNetworkProperties' ? tryAgainLater : hcnFailure];
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

/** Whether win-hcn can do without what the call was for, or has another way. */
function isForgiven({ command, withoutNetns }: Scenario, place: Place, effect: Effect): boolean {
  const { says, fault } = effect;
  const isRefused =
    says === 'no' ||
    says === 'no, then nothing' ||
    says === 'there is no such object' ||
    says === 'the handle is of an object that is gone';
  switch (place.name) {
    case 'HcnModifyNetwork':
      return true;
    case 'HcnCreateNetwork':
      return isEqual(fault, { hresult: notFound });
    case 'HcnOpenNamespace':
      return command === 'DEL' && !place.isAfterRefusal;
    case 'HcnModifyNamespace':
      if (command === 'ADD') return place.about === "the node's namespace" && isRefused;
      return !place.isAfterRefusal;
    case 'HcnDeleteEndpoint': {
      if (isEqual(fault, { hold: 'after' }) && !place.isAfterRefusal) return true;
      const isLookedFor = place.hresult !== 0 || (withoutNetns === true && place.ordinal === 1);
      return isLookedFor && (isRefused || says === 'nothing in time');
    }
    default:
      return false;
  }
}

/** HNS may choose the ids of what is created, so that it cannot be opened by that which was asked for. */
export function choosesIds({ hns }: Scenario): boolean {
  return hns?.switches?.callerIds === 'ignored';
}

function isEqual(one: object | undefined, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
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
 * An endpoint is looked at right after it was created, and the attachment's namespace before. A network that is not found is created,
 * refused and found; so is the host endpoint. The node's namespace is looked for again among all of them.
 */
function ofAbsenceInAdd({ name, about, isOfCreated }: Place): number {
  if (isOfCreated && name.endsWith('EndpointProperties')) return hcnFailure;
  return about === 'its namespace' && name === 'HcnOpenNamespace' ? unknownContainer : success;
}
