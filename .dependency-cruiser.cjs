/**
 * Imports point one way. The list is the order of design: a layer may import from the layers to its right only.
 *
 *   index → client → resources → pagination → auth → http → endpoints, concurrency → stores → errors, platform → contract
 *               menus, webhooks → concurrency → stores, hours → errors, platform → contract
 *                          mock → platform → contract (types only)
 *
 * `command` is the program of the package: it may import all of them, and nothing imports it.
 */
const clientLayers = [
  ['index', '^src/index\\.ts$'],
  ['client', '^src/client\\.ts$'],
  ['connection', '^src/connection\\.ts$'],
  ['options', '^src/options\\.ts$'],
  ['resources', '^src/resources/'],
  ['operations', '^src/operations/'],
  ['pagination', '^src/pagination/'],
  ['auth', '^src/auth/'],
  ['http', '^src/http/'],
  ['endpoints', '^src/endpoints/'],
  ['concurrency', '^src/concurrency/'],
  ['stores', '^src/stores/'],
  ['hours', '^src/hours/'],
  ['paid-for-line', '^src/paid-for-line\\.ts$'],
  ['money', '^src/money\\.ts$'],
  ['profile', '^src/profile/'],
  ['errors', '^src/errors/'],
  ['platform', '^src/platform/'],
  ['contract', '^src/contract/'],
];

/** The rooms of the large folders, in the same order: each may import from the rooms after it only. */
const rooms = {
  contract: ['index.ts', 'schemas/', 'records/'],
  http: [
    'call-promise.ts',
    'execute.ts',
    'pipeline.ts',
    'call-options.ts',
    'dialect/',
    'steps/',
    'transport/',
    'request/',
    'response/',
    'contract/',
    'exchange/',
    'events/',
    'drift/',
  ],
  webhooks: [
    'index.ts',
    'reconcile/',
    'receiver/',
    'inbox/',
    'adapters/',
    'delivery/',
    'state/',
    'event/',
    'signature/',
  ],
  menus: ['index.ts', 'sync/', 'diff/', 'checks/', 'stock/', 'model/'],
  mock: [
    'command/',
    'index.ts',
    'service.ts',
    'beginning.ts',
    'workbench/',
    'options.ts',
    'snapshot/',
    'dialect/',
    'control/',
    'transport/',
    'routes.ts',
    'handlers/',
    'kernel/',
    'faults/',
    'operations/',
    'webhooks/',
    'samples/',
    'rules/',
    'state/',
    'behaviour/',
    'checks/',
    'refusals/',
    'time/',
    'seed/',
  ],
};

const pathOf = Object.fromEntries(clientLayers);
const leftOf = (layer) =>
  clientLayers
    .slice(
      0,
      clientLayers.findIndex(([name]) => name === layer),
    )
    .map(([, path]) => path);

const arrows = clientLayers.slice(1).map(([layer, from]) => ({
  name: `${layer}-imports-to-the-right`,
  severity: 'error',
  from: { path: from },
  to: { path: leftOf(layer) },
}));

/** The workbench is loaded by the service when a server asks for it, and knows the service by its type. */
const SERVICE = '^src/mock/service\\.ts$';

const roomArrows = Object.entries(rooms).flatMap(([folder, list]) => {
  const paths = list.map((room) => `^src/${folder}/${room.replace(/\.ts$/, '\\.ts$')}`);
  return list.slice(1).map((room, index) => ({
    name: `${folder}-${room}-imports-to-the-right`,
    severity: 'error',
    from: { path: paths[index + 1] },
    to: { path: paths.slice(0, index + 1).filter((path) => room !== 'workbench/' || path !== SERVICE) },
  }));
});

const PAYMENTS = '^src/resources/payments/';
/** What decides over money: values in, values out. */
const DECISIONS = [
  `${PAYMENTS}(amounts|matching|lost-response|overrides|tender-body)\\.ts$`,
  `${PAYMENTS}settle/(next-step|known|change|sending|entry-payment|refusals|settlement|tenders|decline)\\.ts$`,
];
/** What waits, reads, writes, sends or asks. */
const EFFECTS = [
  '^src/(http/(?!steps/backoff)|platform/clock|stores/|auth/)',
  '^src/resources/(caller|time-limit|carts/|orders/)',
  `${PAYMENTS}(payments|refunds|lost-move|named-money|order-reading|service-time|confirmed-records)\\.ts$`,
  `${PAYMENTS}settle/(settle|run|order-run|ask|word-of-caller|outcome-unknown|resume-all)\\.ts$`,
  `${PAYMENTS}journal/(?!record|journal-runs|format-1)`,
];

const resourceArrows = [
  {
    name: 'decisions-over-money-import-no-effects',
    from: { path: DECISIONS },
    to: { path: EFFECTS, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'settle-knows-the-journal-by-record-and-lock',
    from: { path: `${PAYMENTS}settle/` },
    to: { path: `${PAYMENTS}journal/(?!(journal|journal-runs|record|order-lock|tender-digest)\\.ts$)` },
  },
  {
    name: 'journals-know-nothing-of-settlements',
    from: { path: `${PAYMENTS}journal/` },
    to: { path: '^src/resources/', pathNot: [`${PAYMENTS}journal/`, `${PAYMENTS}tender-body\\.ts$`] },
  },
  {
    name: 'single-payments-know-nothing-of-settlements',
    from: { path: `${PAYMENTS}[a-z-]+\\.ts$` },
    to: { path: `${PAYMENTS}settle/` },
  },
  {
    name: 'payments-know-neither-carts-nor-orders',
    from: { path: PAYMENTS },
    to: { path: '^src/resources/(carts|orders)/' },
  },
  {
    name: 'carts-know-of-payments-the-journal-and-amounts',
    from: { path: '^src/resources/carts/' },
    to: {
      path: ['^src/resources/orders/', PAYMENTS],
      pathNot: `${PAYMENTS}(amounts|journal/journal|journal/journal-access)\\.ts$`,
    },
  },
  { name: 'orders-know-no-carts', from: { path: '^src/resources/orders/' }, to: { path: '^src/resources/carts/' } },
].map((rule) => ({ severity: 'error', ...rule }));

module.exports = {
  forbidden: [
    ...arrows,
    ...roomArrows,
    ...resourceArrows,
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'client-never-imports-mock',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(mock|command)/' },
      to: { path: '^src/mock/' },
    },
    {
      name: 'nothing-imports-the-command',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/command/' },
      to: { path: '^src/command/' },
    },
    {
      name: 'mock-reads-the-interface-document-by-itself',
      severity: 'error',
      from: { path: '^src/mock/' },
      to: { path: '^src/', pathNot: ['^src/mock/', pathOf.profile, pathOf.platform, pathOf.contract] },
    },
    {
      name: 'mock-takes-types-only-from-the-contract',
      severity: 'error',
      from: { path: '^src/mock/' },
      to: { path: pathOf.contract, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'menus-and-webhooks-stay-apart-from-the-client',
      severity: 'error',
      from: { path: '^src/(menus|webhooks)/' },
      to: {
        path: '^src/',
        pathNot: [
          '^src/(menus|webhooks)/',
          pathOf.concurrency,
          pathOf.stores,
          pathOf.hours,
          pathOf.money,
          pathOf.profile,
          pathOf.errors,
          pathOf.platform,
          pathOf.contract,
        ],
      },
    },
    {
      name: 'menus-and-webhooks-do-not-know-each-other',
      severity: 'error',
      from: { path: '^src/(menus|webhooks)/' },
      to: { path: '^src/(menus|webhooks)/', pathNot: '^src/$1/' },
    },
    {
      name: 'webhooks-and-menus-carry-neither-undici-nor-zod',
      severity: 'error',
      from: { path: '^src/(webhooks|menus)/' },
      to: { path: 'node_modules/(undici|zod)/' },
    },
    {
      name: 'webhooks-and-menus-take-no-schemas-from-the-contract',
      severity: 'error',
      from: { path: '^src/(webhooks|menus|stores|errors|money)' },
      // The records have no schema in them: types, and the lists of known values.
      to: { path: pathOf.contract, pathNot: '^src/contract/records/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'workbench-takes-types-only-from-the-service',
      severity: 'error',
      from: { path: '^src/mock/workbench/' },
      to: { path: SERVICE, dependencyTypesNot: ['type-only'] },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};

// Not enumerable, since the tool refuses what it does not know: a test holds the list against the folders.
Object.defineProperty(module.exports, 'rooms', { value: rooms });
