import { usual } from '../other-hns.ts';
import { adds, addsOfRemoteSubnets, others } from '../scenarios.ts';
import { testKills } from '../test-matrix.ts';

testKills(usual, [...adds, ...addsOfRemoteSubnets, ...others], 'all', 'process');
