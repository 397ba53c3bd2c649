import { choosesIds } from './other-hns.ts';
import { testKillsOnOtherHns } from './test-other-hns.ts';

testKillsOnOtherHns(import.meta.filename, choosesIds);
