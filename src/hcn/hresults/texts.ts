import { endpointTexts } from './endpoints.ts';
import type { HresultMeaning } from './meaning.ts';
import { networkTexts } from './networks.ts';
import type { HresultSymbol } from './numbers.ts';
import { windowsTexts } from './windows.ts';

const texts = { ...networkTexts, ...endpointTexts, ...windowsTexts };

/** What each HRESULT means, by symbol. In the exe a bundle of its own, which the first failure of a request loads (packaging/bundles.mjs). */
export function hresultTexts(): Readonly<Partial<Record<HresultSymbol, HresultMeaning>>> {
  return texts;
}
