/** A configuration of an L2Bridge network, and the id of the network that win-hcn creates from it. */
export const config = (more: object = {}) => ({
  cniVersion: '1.0.0',
  name: 'l2bridge',
  type: 'win-hcn',
  networkType: 'L2Bridge',
  subnets: [{ subnet: '10.244.1.0/24' }],
  ...more,
});
export const network = '259f4964-2dff-5b46-92f1-633319a59298';
