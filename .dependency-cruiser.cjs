// Allowed imports. The comment of each rule names the promise of the design that it keeps.

/** Sources of a workspace folder, and what it was compiled to: packages are imported through their `dist`. */
const of = (...folders) => `^(${folders.join('|')})/(src|dist)/`
const npm = (names) => `(^|/)node_modules/(${names})(/|$)`
const core = (names) => `^(node:)?(${names})$`
/** Folders with helpers that several specs share. */
const SPEC_HELPERS = '^(apps|packages(/client)?)/[^/]+/src.*/testing/'
const SPEC = String.raw`\.spec\.ts$|${SPEC_HELPERS}`
const PURE = ['^apps/[^/]+/src.*/rules/', of('packages/positioning')]
const DATABASE = npm('@prisma/[^/]+|prisma|pg|pg-copy-streams')
const USES_DATABASE = of(
  'apps/(identity|management|location)',
  'prisma',
  'packages/testing',
  'tests',
  'bench',
)

/** A package may only import its own files and what is listed. Its specs may import more. */
const only = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: of(from), pathNot: SPEC },
  to: { pathNot: [of(from), ...allowed] },
})

/** Of all `@bearing` packages a package may only import those that are listed. */
const below = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: of(from), pathNot: SPEC },
  to: {
    path: ['^(apps|packages|prisma|deploy|tests|bench)/', '^@bearing/'],
    pathNot: [of(from), ...allowed.map((folder) => of(folder))],
  },
})

/**
 * Makes one rule for each wing of an app (a folder directly under `src`). `levels` lists the wings from top to bottom.
 * A wing may import its own files, the wings of lower levels and the app's settings; never a wing above or beside it.
 */
const wings = (app, levels, src = `apps/${app}/src`) =>
  levels.flatMap((level, depth) =>
    level.map((wing) => ({
      name: `${app}-${wing}-imports-down`,
      comment: `Wings of ${app}, top to bottom: ${levels.map((names) => names.join(', ')).join(' → ')}.`,
      severity: 'error',
      from: { path: `^${src}/${wing}/`, pathNot: SPEC },
      to: {
        path: `^${src}/`,
        pathNot: `^${src}/(config\\.ts$|(${[wing, ...levels.slice(depth + 1).flat()].join('|')})/)`,
      },
    })),
  )

module.exports = {
  forbidden: [
    {
      name: 'no-cycle',
      comment: 'A cycle of decorated classes crashes at start; any other is one module in two files.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere escapes every other rule. Has everything been built?',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'app-imports-no-app',
      comment:
        'Services talk over NATS, the command line over HTTP. `one` runs them, and imports nothing else of them. Builds of pages read what another app declares: its routes, its list of pages. Packing has one program.',
      severity: 'error',
      from: {
        path: '^apps/(?!one/)([^/]+)/',
        pathNot: '^apps/((dashboard|docs)/build|terraform-provider/pack)\\.mjs$',
      },
      to: {
        path: '^(apps/(?!$1/)|@bearing/(gateway|identity|management|location|cli|dashboard|docs|terraform-provider)(/|$))',
      },
    },
    {
      name: 'package-imports-no-app',
      comment: 'apps → packages.',
      severity: 'error',
      from: { path: '^(packages|prisma|deploy|tests|bench)/', pathNot: '^tests/generate\\.mjs$' },
      to: {
        path: '^(apps/|@bearing/(gateway|identity|management|location|cli|dashboard|docs|terraform-provider)(/|$))',
      },
    },
    {
      name: 'one-cache',
      comment: 'Everything that is cached is bounded in one way.',
      severity: 'error',
      from: { path: '^(apps|packages|deploy)/', pathNot: '^packages/client/nats/(src|dist)/cache\\.' },
      to: { path: npm('lru-cache') },
    },
    only(
      'contracts-only-zod',
      'Contracts are values that every program can load, in a browser too.',
      'packages/contracts',
      [npm('zod')],
    ),
    only(
      'access-only-contracts',
      'What decides about access does no I/O and has no state.',
      'packages/access',
      [of('packages/contracts'), npm('ipaddr\\.js'), core('buffer|crypto')],
    ),
    only(
      'client-only-contracts',
      'The client runs in browsers and in other people’s programs.',
      'packages/client',
      [of('packages/contracts'), npm('zod')],
    ),
    below('nats-below-service', 'contracts ← access ← nats ← service.', 'packages/nats', [
      'packages/contracts',
      'packages/access',
    ]),
    below(
      'client-nats-on-nats',
      'contracts ← access ← nats ← client/nats ← service.',
      'packages/client/nats',
      ['packages/contracts', 'packages/access', 'packages/nats'],
    ),
    below('nestjs-on-client-nats', 'contracts ← access ← nats ← client/nats ← nestjs.', 'packages/nestjs', [
      'packages/contracts',
      'packages/access',
      'packages/nats',
      'packages/client/nats',
    ]),
    below(
      'service-on-client-nats',
      'contracts ← access ← nats ← client/nats ← service.',
      'packages/service',
      ['packages/contracts', 'packages/access', 'packages/nats', 'packages/client/nats'],
    ),
    ...wings(
      'service',
      [['run'], ['store'], ['audit'], ['work', 'workarounds'], ['observe'], ['ground']],
      'packages/service/src',
    ),
    below('dashboard-as-a-client', 'Pages know what every other client knows.', 'apps/dashboard', [
      'packages/contracts',
      'packages/access',
      'packages/client',
      'packages/files',
    ]),
    only(
      'files-only-contracts',
      'Files are read in browsers as well; those of `elf` by services alone.',
      'packages/files',
      [of('packages/contracts'), npm('csv-parse'), npm('stream-json'), '^buffer$'],
    ),
    below('outbound-on-access', 'Outbound HTTP knows nothing about services.', 'packages/outbound', [
      'packages/access',
    ]),
    below(
      'local-imports-no-bearing',
      'It starts processes, and knows nothing about them.',
      'packages/local',
      [],
    ),
    {
      name: 'rules-are-pure',
      comment:
        'Rules can be read and tested without a service around them: no Nest, Prisma, NATS, Postgres, files or clock.',
      severity: 'error',
      from: { path: PURE, pathNot: SPEC },
      to: {
        pathNot: [
          ...PURE,
          of('packages/contracts'),
          of('packages/access'),
          npm('zod'),
          core('buffer|crypto'),
        ],
      },
    },
    {
      name: 'nats-only-in-its-package',
      comment:
        'Deadlines, claims, errors and draining are solved once. Benches need the bare library as baseline.',
      severity: 'error',
      from: { pathNot: [of('packages/nats', 'bench'), '^packages/local/.*\\.spec\\.ts$'] },
      to: { path: [npm('@nats-io/[^/]+|nats'), '^(@nats-io/|nats$)'] },
    },
    {
      name: 'database-only-where-data-is',
      comment:
        'Only services that own data, and what migrates or checks it, speak to Postgres; and the demo, whose past the API does not accept.',
      severity: 'error',
      from: {
        pathNot: [
          USES_DATABASE,
          '^packages/local/.*\\.spec\\.ts$',
          '^deploy/local/src/demo/write-history\\.ts$',
        ],
      },
      to: { path: [DATABASE, '^(@prisma/|pg$|pg-copy-streams$)'] },
    },
    {
      name: 'nest-only-in-services',
      comment: 'The command line, the client and the contracts work without a framework.',
      severity: 'error',
      from: {
        pathNot: [
          of(
            'apps/(gateway|identity|management|location)',
            'packages/(nats|nestjs|service)',
            'examples/nestjs',
          ),
          '^tests/src/nestjs/',
        ],
      },
      to: { path: [npm('@nestjs/[^/]+'), '^@nestjs/'] },
    },
    {
      name: 'testing-only-in-tests',
      comment: 'What boots a stack, or starts processes, has no place in a service.',
      severity: 'error',
      from: { path: '^(apps|packages/(?!testing/|local/))', pathNot: SPEC },
      to: { path: of('packages/(testing|local)', 'prisma', 'deploy/local', 'tests') },
    },
    {
      name: 'nobody-imports-specs',
      comment: 'Importing a spec runs it.',
      severity: 'error',
      from: {},
      to: { path: String.raw`\.spec\.(ts|js)$` },
    },
    {
      name: 'only-specs-import-their-helpers',
      comment: 'What only tests need does not run in production.',
      severity: 'error',
      from: { pathNot: SPEC },
      to: { path: SPEC_HELPERS },
    },
    {
      name: 'errors-stand-below-the-nouns',
      comment: 'Every contract names its errors, so errors know no contract.',
      severity: 'error',
      from: { path: String.raw`^packages/contracts/src/errors(\.ts$|/)` },
      to: { path: '^packages/contracts/src/(identity|location|management)/' },
    },
    ...wings('dashboard', [
      ['shell'],
      [
        ...['account', 'devices', 'files', 'members', 'organization', 'positions'],
        ...['settings', 'sign-in', 'sso', 'tokens', 'webhooks'],
      ],
      ['parts'],
      ['ground'],
    ]),
    ...wings('location', [['learn', 'import'], ['locate'], ['positions', 'erasure'], ['ground']]),
    ...wings('management', [
      ['erasure'],
      ['files'],
      ['ingest'],
      ['webhooks'],
      ['feed'],
      ['storage', 'tenancy'],
      ['ground'],
    ]),
    ...wings('gateway', [
      ['uploads', 'chunks', 'geosubmit', 'sessions', 'reference', 'dashboard'],
      ['forward'],
      ['pass-through'],
      ['authorize'],
      ['authenticate'],
      ['server'],
      ['problems'],
      ['ground'],
    ]),
    ...wings('identity', [
      ['accounts'],
      ['workloads'],
      ['sso'],
      ['credentials', 'introspection'],
      ['organizations'],
      ['people'],
      ['ground'],
    ]),
    below(
      'terraform-as-a-client',
      'The provider knows what every other client knows.',
      'apps/terraform-provider',
      ['packages/contracts', 'packages/client'],
    ),
    ...wings('terraform-provider', [
      ['reference'],
      ['plugin', 'engine'],
      ['schema'],
      ['declarations'],
      ['wire'],
    ]),
    ...wings('cli', [
      ['program'],
      ['admin'],
      ['account', 'audit'],
      ['tenancy', 'devices', 'location', 'webhooks'],
      ['session'],
      ['ground'],
    ]),
    ...wings(
      'positioning',
      [
        ['evaluation'],
        ['learning/evidence', 'learning/layers'],
        ['learning/statistics'],
        ['estimate', 'cells', 'distances', 'following'],
        ['heights'],
        ['references'],
        ['fields'],
        ['access-points'],
        ['scans'],
        ['earth', 'numbers'],
      ],
      'packages/positioning/src',
    ),
  ],
  options: {
    // Sources of this repository are followed; what they were compiled to, and libraries, are where following ends.
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: '/generated/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
    },
    reporterOptions: { text: { highlightFocused: true } },
  },
}
