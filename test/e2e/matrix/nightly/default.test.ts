import { usual } from '../other-hns.ts';
import { adds, addsOfRemoteSubnets, others } from '../scenarios.ts';
import { testFaults } from '../test-matrix.ts';

testFaults(usual, [...adds, ...addsOfRemoteSubnets, ...others], 'all');
