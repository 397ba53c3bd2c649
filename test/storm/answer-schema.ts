import { Ajv } from 'ajv';

// The result and the error of the CNI specification, section 5, without other members.

const text = { type: 'string', minLength: 1 };
const texts = { type: 'array', items: text };
const cidr = { type: 'string', pattern: '^[0-9A-Fa-f.:]+/\\d{1,3}$' };
const address = { type: 'string', pattern: '^[0-9A-Fa-f.:]+$' };
const object = (properties: object, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const dns = object({ nameservers: texts, domain: text, search: texts, options: texts }, []);
const mac = { type: 'string', pattern: '^([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}$' };
const result = (ip: object, required: readonly string[], interfaceKeys: object) =>
  object(
    {
      cniVersion: text,
      interfaces: {
        type: 'array',
        items: object({ name: text, mac, sandbox: text, ...interfaceKeys }, ['name']),
      },
      ips: {
        type: 'array',
        minItems: 1,
        items: object(
          { address: cidr, gateway: address, interface: { type: 'integer', minimum: 0 }, ...ip },
          required,
        ),
      },
      routes: { type: 'array', items: object({ dst: cidr, gw: address }, ['dst']) },
      dns,
    },
    ['cniVersion', 'interfaces', 'ips'],
  );

const ajv = new Ajv({ allErrors: true });
const validators = {
  older: ajv.compile(result({ version: { enum: ['4', '6'] } }, ['version', 'address'], {})),
  newer: ajv.compile(result({}, ['address'], { mtu: { type: 'integer' } })),
  error: ajv.compile(
    object(
      {
        cniVersion: text,
        code: { type: 'integer', minimum: 1, maximum: 2 ** 32 - 1 },
        msg: text,
        details: text,
      },
      ['cniVersion', 'code', 'msg'],
    ),
  ),
};

/** Returns the problems of a result or an error. Versions before 0.3.0 are not supported. */
export function documentProblems(
  kind: 'result' | 'error',
  document: unknown,
  version: string,
): readonly string[] {
  const validate = kind === 'error' ? validators.error : validators[version < '1' ? 'older' : 'newer'];
  validate(document);
  const invalid = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  const answered: unknown = Object(document).cniVersion;
  return answered === version ? invalid : [...invalid, `cniVersion is ${answered}, not ${version}`];
}
