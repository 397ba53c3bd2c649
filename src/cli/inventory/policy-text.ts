import type { Policy } from '../../hcn/documents.ts';
import { policyWords } from './policy-words.ts';
import { settingsText } from './setting-text.ts';

/**
 * Returns the settings of a policy in words, such as `tcp 8080 -> 80 (node)`. Settings that have no words here follow as `key=value`, so
 * nothing that HCN returned is left out. Without settings and words: `no settings`.
 */
export function policyText({ Type, Settings = {} }: Policy): string {
  const { text, rest } = policyWords(Type)?.(Settings) ?? { text: '', rest: Settings };
  return [text, settingsText(rest)].filter((part) => part !== '').join(' ') || 'no settings';
}
