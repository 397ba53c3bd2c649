// npm run pages: prints docs/conformance.md.

import { collectNames } from './names.ts';
import { page } from './page.ts';

process.stdout.write(page(await collectNames()));
