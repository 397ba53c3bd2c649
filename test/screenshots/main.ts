// npm run screenshots writes the pictures in docs/images/.

import { writeFileSync } from 'node:fs';
import { doctorPicture, pathOf } from './doctor-picture.ts';
import { schemes } from './terminal-picture.ts';

for (const scheme of schemes) writeFileSync(pathOf(scheme), await doctorPicture(scheme));
