/**
 * What GitHub documents about issue forms, as JSON Schema. It refuses every key that is not documented.
 * https://docs.github.com/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-githubs-form-schema
 */

const text = { type: 'string', minLength: 1 };
const validations = {
  type: 'object',
  additionalProperties: false,
  properties: { required: { type: 'boolean' } },
};

function element(
  type: string,
  attributes: Readonly<Record<string, object>>,
  required: readonly string[],
): object {
  const isInput = type !== 'markdown';
  return {
    type: 'object',
    additionalProperties: false,
    required: ['type', 'attributes', ...(isInput ? ['id'] : [])],
    properties: {
      type: { const: type },
      attributes: { type: 'object', additionalProperties: false, required, properties: attributes },
      ...(isInput && { id: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' }, validations }),
    },
  };
}

const labeled = { label: text, description: text };

export const formSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'description', 'body'],
  properties: {
    name: text,
    description: text,
    title: text,
    labels: { type: 'array', items: text },
    body: {
      type: 'array',
      contains: { type: 'object', properties: { type: { not: { const: 'markdown' } } } },
      items: {
        oneOf: [
          element('markdown', { value: text }, ['value']),
          element('input', { ...labeled, placeholder: text, value: text }, ['label']),
          element('textarea', { ...labeled, placeholder: text, value: text, render: text }, ['label']),
          element(
            'dropdown',
            {
              ...labeled,
              multiple: { type: 'boolean' },
              options: { type: 'array', minItems: 1, uniqueItems: true, items: text },
            },
            ['label', 'options'],
          ),
        ],
      },
    },
  },
};

export const chooserSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    blank_issues_enabled: { type: 'boolean' },
    contact_links: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'url', 'about'],
        properties: { name: text, url: { type: 'string', pattern: '^https://' }, about: text },
      },
    },
  },
};

/** The keys of dependabot.yml that we use. https://docs.github.com/code-security/reference/supply-chain-security/dependabot-options-reference */
export const dependabotSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['version', 'updates'],
  properties: {
    version: { const: 2 },
    updates: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['package-ecosystem', 'schedule'],
        oneOf: [{ required: ['directory'] }, { required: ['directories'] }],
        properties: {
          'package-ecosystem': { enum: ['npm', 'github-actions'] },
          directory: text,
          directories: { type: 'array', items: text },
          schedule: {
            type: 'object',
            additionalProperties: false,
            required: ['interval'],
            properties: { interval: { enum: ['daily', 'weekly', 'monthly'] } },
          },
          cooldown: {
            type: 'object',
            additionalProperties: false,
            properties: { 'default-days': { type: 'integer', minimum: 1, maximum: 90 } },
          },
          'open-pull-requests-limit': { type: 'integer' },
          groups: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              additionalProperties: false,
              minProperties: 1,
              properties: {
                patterns: { type: 'array', items: text },
                'dependency-type': { enum: ['development', 'production'] },
              },
            },
          },
          ignore: {
            type: 'array',
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['dependency-name'],
              properties: {
                'dependency-name': text,
                'update-types': {
                  type: 'array',
                  items: { enum: ['major', 'minor', 'patch'].map((part) => `version-update:semver-${part}`) },
                },
              },
            },
          },
        },
      },
    },
  },
};
