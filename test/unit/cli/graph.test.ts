import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { graphData } from '../../../src/cli/graph/graph-data.ts';
import { graphPage } from '../../../src/cli/graph/graph-page.ts';
import { mermaidText } from '../../../src/cli/graph/mermaid-text.ts';
import { drawTree, treeText } from '../../../src/cli/graph/tree-text.ts';
import { HcnInvalidResponse } from '../../../src/hcn/errors.ts';
import type { Inventory } from '../../../src/model/inventory.ts';

const SchemaVersion = { Major: 2, Minor: 0 };
const overlay = '11111111-0000-4000-8000-000000000000';
const gone = '22222222-0000-4000-8000-000000000000';
const [nine, ten, orphan] = [
  '99999999-0000-4000-8000-000000000000',
  'aaaaaaaa-0000-4000-8000-000000000000',
  'bbbbbbbb-0000-4000-8000-000000000000',
];
const snapshot = { taken: new Date('2026-01-02T03:04:05Z'), version: '1.2.3' };
const plain = { width: Number.POSITIVE_INFINITY, style: (_: string, text: string) => text };

/** Objects with many problems, and names that contain markup. */
const inventory: Inventory = {
  networks: [{ ID: overlay, Name: '"]; click <b>', Type: 'Overlay', SchemaVersion }],
  endpoints: [
    {
      ID: ten,
      Name: '`**ten**`',
      HostComputeNetwork: overlay,
      IpConfigurations: [{ IpAddress: '10.0.0.10', PrefixLength: 24 }, { IpAddress: 'fd00::10' }],
      Health: { Data: { LastErrorCode: 0x803b0013 } },
      State: 5,
      SchemaVersion,
    },
    {
      ID: nine,
      Name: '</script>\u2028',
      HostComputeNetwork: overlay,
      IpConfigurations: [{ IpAddress: '10.0.0.9', PrefixLength: 24 }],
      State: 1,
      SchemaVersion,
    },
    { ID: orphan, Name: '', HostComputeNetwork: gone, State: 1, SchemaVersion },
  ],
  namespaces: [],
  loadBalancers: [
    {
      ID: 'cccccccc-0000-4000-8000-000000000000',
      HostComputeEndpoints: [nine, 'eeeeeeee-0000-4000-8000-000000000000'],
      PortMappings: [{ Protocol: 17, InternalPort: 53, ExternalPort: 53 }],
      SchemaVersion,
    },
    {
      ID: 'dddddddd-0000-4000-8000-000000000000',
      HostComputeEndpoints: [],
      FrontendVIPs: ['10.96.0.10'],
      PortMappings: [],
      SchemaVersion,
    },
  ],
};
const data = graphData(inventory, snapshot);

test('the tree shows problems and sorts endpoints by address', () => {
  expect(treeText(data, false, plain).split('\n')).toEqual([
    'network "]; click <b>  11111111  Overlay  owner: unknown  not ready',
    '|- 10.0.0.9             </script>\\u2028  no namespace  Created   owner: unknown',
    '`- 10.0.0.10, fd00::10  `**ten**`   no namespace  Degraded  owner: unknown  HCN_E_PORT_ALREADY_EXISTS',
    '',
    `network ${gone}  gone`,
    '`- no address  bbbbbbbb  no namespace  Created  owner: unknown',
    '',
    'load balancer cccccccc  node addresses  53->53/udp  owner: unknown',
    '|- 10.0.0.9  </script>\\u2028  network "]; click <b>  Created',
    '`- endpoint eeeeeeee-0000-4000-8000-000000000000 gone',
    '',
    'load balancer dddddddd  10.96.0.10  owner: unknown  no backends',
  ]);
});

test.each([
  ['clear the screen', '\u001b[2J', '\\u001b[2J'],
  ['end a line', 'one\r\ntwo', 'one\\u000d\\u000atwo'],
  ['change the writing direction', 'a\u202eb', 'a\\u202eb'],
])('no text in the tree can %s', (_, text, drawn) => {
  expect(drawTree({ parts: [{ text }] }, plain)).toBe(drawn);
});

test('a long name in the tree does not move the columns of other lines', () => {
  const endpoint = (ID: string, Name: string, IpAddress: string) => {
    return {
      ID,
      Name,
      HostComputeNetwork: overlay,
      IpConfigurations: [{ IpAddress }],
      State: 1,
      SchemaVersion,
    };
  };
  const endpoints = [
    endpoint(nine, 'short', '10.0.0.9'),
    endpoint(ten, 'an-endpoint-with-a-name-of-44-characters-here', '10.0.0.10'),
  ];
  const one = graphData({ ...inventory, endpoints, loadBalancers: [] }, snapshot);
  expect(treeText(one, false, plain).split('\n').slice(1)).toEqual([
    '|- 10.0.0.9   short  no namespace  Created  owner: unknown',
    '`- 10.0.0.10  an-endpoint-with-a-name-of-44-characters-here  no namespace  Created  owner: unknown',
  ]);
});

test('the flowchart shows problems and escapes names', () => {
  expect(mermaidText(data, false).split('\n')).toEqual([
    'flowchart LR',
    '  subgraph n0["network #34;#93;#59; click #60;b#62;<br>Overlay<br>not ready"]',
    '    e0["10.0.0.9<br>#60;/script#62;#8232;<br>owner: unknown"]',
    '    e1["10.0.0.10, fd00::10<br>#96;#42;#42;ten#42;#42;#96;<br>owner: unknown<br>HCN_E_PORT_ALREADY_EXISTS"]:::error',
    '  end',
    '  subgraph n1["network 22222222 (gone)"]',
    '    e2["no address<br>bbbbbbbb<br>owner: unknown"]',
    '  end',
    '  lb0{{"load balancer cccccccc<br>node addresses<br>53-#62;53/udp"}}',
    '  lb0 --> e0',
    '  lb0 --> lb0absent0["eeeeeeee<br>gone"]:::error',
    '  lb1{{"load balancer dddddddd<br>10.96.0.10<br>no backends"}}:::error',
    '  classDef error fill:#fdecea,stroke:#b3261e,color:#410e0b',
    '  classDef leftover fill:#fff4d6,stroke:#8a6100,color:#3d2b00',
    '  classDef remote stroke-dasharray:4 3',
  ]);
});

describe('an unreadable object', () => {
  const [network, backend] = [gone, 'eeeeeeee-0000-4000-8000-000000000000'];
  const error = (id: string) => new HcnInvalidResponse(`HCN's answer about ${id} is no JSON`);
  const unreadable = [
    { kind: 'Network', id: network, error: error(network) },
    { kind: 'Endpoint', id: backend, error: error(backend) },
  ] as const;
  const namespaces = [{ ID: nine, Type: 'Host' as const, SchemaVersion }];
  const part = graphData({ ...inventory, namespaces, unreadable }, snapshot);

  test('is unreadable in the tree, not gone', () => {
    const lines = treeText(part, false, plain).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        `network ${network}  unreadable`,
        'namespaces without readable endpoints',
        `\`- endpoint ${backend} unreadable`,
      ]),
    );
    expect(lines.slice(-3)).toEqual([
      'unreadable',
      `|- HCN's answer about ${network} is no JSON`,
      `\`- HCN's answer about ${backend} is no JSON`,
    ]);
  });

  test('is unreadable in the flowchart, not gone', () => {
    expect(mermaidText(part, false).split('\n')).toEqual(
      expect.arrayContaining([
        '  subgraph n1["network 22222222 (unreadable)"]',
        '  lb0 --> lb0absent0["eeeeeeee<br>unreadable"]:::error',
        `  unreadable0["unreadable<br>HCN#39;s answer about ${network} is no JSON"]:::error`,
      ]),
    );
  });
});

describe('the page', () => {
  const page = graphPage(inventory, snapshot);
  const between = (start: string, end: string) => page.split(start)[1]?.split(end)[0] ?? '';

  test('contains the data as ASCII that cannot end its element', () => {
    expect(page).toMatch(/^[\x20-\x7e\n]+$/);
    const json = between('<script type="application/json" id="graph">', '</script>');
    expect(json).not.toContain('<');
    expect(JSON.parse(json)).toEqual(data);
  });

  test.each([
    ['style', '<style>', '</style>'],
    ['script', '<script>', '</script>'],
  ])('allows only its own %s', (kind, start, end) => {
    const hash = createHash('sha256').update(between(start, end)).digest('base64');
    expect(page.match(/content="(default-src [^"]*)"/)?.[1]?.split('; ')).toContain(
      `${kind}-src 'sha256-${hash}'`,
    );
  });

  test('allows nothing else', () => {
    const policy = page.match(/content="(default-src [^"]*)"/)?.[1]?.split('; ');
    expect(policy?.filter((directive) => !directive.includes('sha256'))).toEqual([
      "default-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });
});

describe('a tree', () => {
  const tree = {
    parts: [{ text: 'root' }],
    below: [
      {
        parts: [
          { text: 'one', width: 5 },
          { text: 'two words', style: 'yellow' as const },
        ],
        below: [{ parts: [{ text: 'deep' }] }],
      },
      { parts: [{ text: 'last' }, { text: 'and what is too long for any line' }] },
    ],
  };

  test('aligns its cells', () => {
    expect(drawTree(tree, plain).split('\n')).toEqual([
      'root',
      '|- one    two words',
      '|  `- deep',
      '`- last  and what is too long for any line',
    ]);
  });

  test('wraps long lines, and splits parts longer than a line into words', () => {
    expect(drawTree(tree, { ...plain, width: 18 }).split('\n')).toEqual([
      'root',
      '|- one',
      '|  |    two words',
      '|  `- deep',
      '`- last  and what',
      '        is too',
      '        long for',
      '        any line',
    ]);
  });
});
