import { commandsPage } from './commands.ts';
import { configurationPage } from './configuration.ts';

/** The generated reference pages, by path. */
export const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/commands.md': commandsPage,
  'docs/configuration.md': configurationPage,
};
