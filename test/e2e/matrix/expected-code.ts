import { isPermanent } from '../../../src/hcn/hresults.ts';
import type { Effect, Reported } from './effects.ts';
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

/** HNS also returns it while an adapter is still bound. */
const notFound = 0x80070490;

/** The code of the IPAM plugin in effects.ts. */
const ofPlugin = 11;

/**
 * Returns the codes that a command may return after an effect. A second failing call may be an optional one, a query to find out the
 * meaning of the first failure, or part of the rollback.
 */
export function expectedCodes(scenario: Scenario, place: Place, effect: Effect): readonly number[] {
  const usual = expectedCodesByDefault(scenario, place, effect);
  const isChange = ['ADD', 'DEL', 'GC'].includes(scenario.command);
  const hasVariants = scenario.hasVariants === true && isChange && place.of !== 'IPAM plugin';
  return hasVariants ? [...usual, success, hcnFailure, tryAgainLater] : usual;
}

function expectedCodesByDefault(scenario: Scenario, place: Place, effect: Effect): readonly number[] {
  if (isDetachment(scenario, place) && needsDetachment(scenario)) return ofDetachment(place, effect);
  const codes = place.isAfterRefusal
    ? [afterRefusal(place, effect)]
    : codesOf(scenario, place, effect.reported);
  if (!isOptional(scenario, place, effect)) return codes;
  return effect.again === undefined ? [success] : [success, ...codes];
}

/** An endpoint is detached before it is deleted. HNS may refuse to delete an attached one. */
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

/** The deletion decides: the endpoint may be detached nevertheless, have another id, or be missing. */
function ofDetachment({ name, hresult }: Place, effect: Effect): readonly number[] {
  const fault: object = effect.fault ?? {};
  if (effect.again !== undefined) return [success, tryAgainLater, hcnFailure];
  if (name === 'HcnOpenNamespace') return [success, hcnFailure];
  const isDone = [{ hold: 'after' }, { drop: 'after' }].some((done) => isEqual(fault, done));
  const isReopened = effect.reported === 'object deleted';
  return isDone || isReopened || 'errorRecord' in fault || hresult !== 0 ? [success] : [hcnFailure];
}

/** The refusal is the error unless the endpoint is missing. */
function afterRefusal({ name }: Place, { reported }: Effect): number {
  const isReopened = reported === 'object deleted' && usesHandle({ name });
  const isGone = reported === 'object not found' && name.includes('Endpoint');
  return isReopened || isGone ? success : hcnFailure;
}

/** An object whose handle is no longer valid is opened again. */
function usesHandle({ name }: Pick<Place, 'name'>): boolean {
  return /^Hcn(Query|Modify|CreateEndpoint)/.test(name);
}

function codesOf(scenario: Scenario, place: Place, reported: Reported): readonly number[] {
  const { command } = scenario;
  switch (reported) {
    case 'success':
      return [success];
    case 'refused':
      return [ifStatus(command, hcnFailure)];
    case 'refused, then no response':
      return [ifStatus(command, hcnFailure), ifStatus(command, tryAgainLater)];
    case 'late':
    case 'timed out':
      return [command === 'STATUS' ? success : tryAgainLater];
    case 'no response':
    case 'invalid response':
      return [ifStatus(command, tryAgainLater)];
    case 'object not found':
      return [ifStatus(command, ofAbsence(command, place))];
    case 'object deleted':
      if (place.isOfCreated && choosesIds(scenario)) return [tryAgainLater];
      return [usesHandle(place) ? success : ifStatus(command, tryAgainLater)];
    case 'buffer too small':
      return [place.name === 'GetAdaptersAddresses' ? success : ifStatus(command, tryAgainLater)];
    case 'route not found':
      return [
        /^(DeleteIpForwardEntry2|GetIpForwardTable2)$/.test(place.name)
          ? success
          : ifStatus(command, hcnFailure),
      ];
    case 'refused by the plugin':
      return [ofPlugin];
    case 'no response of the plugin':
      return [ifStatus(command, ipamFailure)];
    case 'invalid response of the plugin':
      return [command === 'ADD' ? decodingFailure : success];
  }
}

/** Whether win-hcn does not need the call or has an alternative. */
function isOptional(
  { command, config, neighbor, withoutNetns }: Scenario,
  place: Place,
  effect: Effect,
): boolean {
  const { reported, fault } = effect;
  const isRefused =
    reported === 'refused' ||
    reported === 'refused, then no response' ||
    reported === 'object not found' ||
    reported === 'object deleted';
  if (place.isShortcut) return isRefused;
  if (place.isOfOthers) return true;
  switch (place.name) {
    case 'HcnModifyNetwork':
      // HostRoute, which is first, is optional; remote subnets are not.
      return config['remoteSubnets'] === undefined || place.nth === 1;
    case 'HNSCall':
      // The network is queried at once. If that is late, STATUS succeeds.
      return command === 'STATUS' && effect.again !== undefined;
    case 'HcnCreateNetwork':
      return isEqual(fault, { hresult: notFound });
    case 'HcnCreateEndpoint':
      // If HNS refuses the host endpoint, it is created without its route.
      // The switch of a new network may refuse endpoints for some seconds.
      return isRefused && (place.about === 'something else' || (neighbor === undefined && mayPass(fault)));
    case 'HcnEnumerateNamespaces':
      // The filter IsDefault has an alternative.
      return command === 'ADD' && place.nth === 1 && isRefused;
    case 'HcnQueryNetworkProperties':
      return place.isV1 && (isRefused || effect.name === 'returns members of the wrong type');
    case 'HcnOpenNamespace':
      if (command === 'ADD') return place.about === "the node's namespace" && isRefused;
      return command === 'DEL' && !place.isAfterRefusal;
    case 'HcnQueryNamespaceProperties':
      return command === 'ADD' && place.about === "the node's namespace" && isRefused;
    case 'HcnModifyNamespace':
      if (command === 'ADD') return place.about === "the node's namespace" && isRefused;
      return !place.isAfterRefusal;
    case 'HcnDeleteEndpoint': {
      if (isEqual(fault, { hold: 'after' }) && !place.isAfterRefusal) return true;
      const isLookedFor = place.hresult !== 0 || (withoutNetns === true && place.ordinal === 1);
      return isLookedFor && (isRefused || reported === 'late');
    }
    default:
      return false;
  }
}

function mayPass(fault: object | undefined): boolean {
  return fault !== undefined && 'hresult' in fault && !isPermanent(Number(fault.hresult));
}

/** HNS may choose ids, so that an object cannot be opened with the requested id. */
export function choosesIds({ hns }: Scenario): boolean {
  return hns?.switches?.callerIds === 'ignored';
}

function isEqual(one: object | undefined, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** STATUS has one code for all failures of HCN. */
function ifStatus(command: Command, code: number): number {
  return command === 'STATUS' && code !== success ? notAvailable : code;
}

/** "Not found" means that an object is missing. For enumerations, documents and changes it is a failure. */
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
 * An endpoint that is missing right after its creation is queried again. A missing network is created, refused and found; so is the host
 * endpoint. The host's namespace is then searched among all.
 */
function ofAbsenceInAdd({ name, about }: Place): number {
  return about === 'its namespace' && name === 'HcnOpenNamespace' ? unknownContainer : success;
}
