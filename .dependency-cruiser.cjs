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
  ['errors', '^src/errors/'],
  ['platform', '^src/platform/'],
  ['contract', '^src/contract/'],
];

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

module.exports = {
  forbidden: [
    ...arrows,
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
      to: { path: '^src/', pathNot: ['^src/mock/', pathOf.platform, pathOf.contract] },
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
      name: 'webhooks-and-menus-take-types-only-from-the-contract',
      severity: 'error',
      from: { path: '^src/(webhooks|menus|stores|errors|money)' },
      to: { path: pathOf.contract, dependencyTypesNot: ['type-only'] },
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
