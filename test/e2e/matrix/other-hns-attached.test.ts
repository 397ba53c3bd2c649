import { refusesAttached } from './other-hns.ts';
import { testOtherHns } from './test-other-hns.ts';

testOtherHns(import.meta.filename, refusesAttached);
