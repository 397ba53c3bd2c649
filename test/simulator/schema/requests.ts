// ModifySettingRequest of every kind of object.

import {
  endpointResourceType,
  modifyRequestType,
  namespaceResourceType,
  networkResourceType,
} from './enumerations.ts';
import { any, boolean, guid, object, required, type Schema, string } from './schema.ts';

function modifyRequest(resourceType: Schema) {
  return object({
    ResourceUri: string,
    ResourceType: required(resourceType),
    RequestType: required(modifyRequestType),
    Settings: any,
  });
}

export const modifyNetwork = modifyRequest(networkResourceType);
export const modifyEndpoint = modifyRequest(endpointResourceType);
export const modifyNamespace = modifyRequest(namespaceResourceType);

export const namespaceEndpoint = object({ EndpointId: required(guid) });
export const namespaceContainer = object({ ContainerId: required(string) });
export const extension = object({ Id: required(guid), IsEnabled: boolean });
export const port = object({ PortId: guid, VirtualNicName: string, VirtualMachineId: guid });
