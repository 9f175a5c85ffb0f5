import comments from '@eslint-community/eslint-plugin-eslint-comments/configs'
import js from '@eslint/js'
import { defineConfig, globalIgnores } from 'eslint/config'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

const noForwardRef = {
  selector: 'Identifier[name="forwardRef"]',
  message: 'A cycle between providers: move what both need into a third one.',
}
const SUBJECT = String.raw`/^(identity|management|location)\.v\d+\./`
const noSubjects = [`Literal[value=${SUBJECT}]`, `TemplateElement[value.raw=${SUBJECT}]`].map((selector) => ({
  selector,
  message: 'Subjects are written in packages/contracts alone: use the subject of the operation or event.',
}))
const noUncheckedRows = [
  'Property[key.name="rowMode"]',
  'CallExpression[callee.property.name="query"][typeArguments]',
].map((selector) => ({
  selector,
  message: 'Nothing checks this type of rows: read them with readRows (ground/read-rows.ts).',
}))
const noEnvironment = [{ object: 'process', property: 'env', message: 'Settings are read in main.ts alone.' }]
const PASSED_IN = 'Rules are pure: time, randomness and ids are passed in.'
const SPECS = ['**/*.spec.ts', 'apps/*/src/testing/**/*.ts', 'tests/src/images/describe-*.ts']
/** Rules that a file with this name breaks by being there. */
const notLikeThis = (message) => ({
  '@typescript-eslint/no-restricted-imports': 'off',
  'no-restricted-syntax': ['error', { selector: 'Program', message }],
})

export default defineConfig(
  globalIgnores([
    '**/dist/',
    '**/generated/',
    '.bearing/',
    'apps/cli/packed/',
    'apps/terraform-provider/packed/',
    'packages/client/packed/',
    'coverage/',
    'node_modules/',
  ]),
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  js.configs.recommended,
  comments.recommended,
  {
    rules: {
      eqeqeq: 'error',
      'object-shorthand': 'error',
      // Comments begin with a noun or a verb, not with a clause.
      'no-warning-comments': [
        'error',
        { terms: ['what', 'how', 'whether', 'when', 'who'], location: 'start', decoration: ['*'] },
      ],
      // Many checks search untrusted input for control characters.
      'no-control-regex': 'off',
      '@eslint-community/eslint-comments/require-description': 'error',
      // The position of the comment shows its line or block. A whole file is fine if the reason holds for all of it.
      '@eslint-community/eslint-comments/disable-enable-pair': ['error', { allowWholeFile: true }],
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'URL',
          'setTimeout',
          'clearTimeout',
          'fetch',
          'performance',
          'AbortSignal',
          'Buffer',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    // Runs in a browser.
    files: ['apps/docs/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'document',
          'location',
          'navigator',
          'addEventListener',
          'matchMedia',
          'innerHeight',
          'fetch',
          'URL',
          'setTimeout',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs', globals: { module: 'writable' } } },
  {
    files: ['**/src/**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // Files with decorators are left alone by this rule, since Nest injects by the imported values.
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // A Nest module is a class that only carries its decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // There are no enums here, and looking for them takes a third of the time.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // Nest declares its options as classes and means interfaces.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'node:process', importNames: ['env'], message: 'Settings are read in main.ts alone.' },
          ],
        },
      ],
      'no-restricted-properties': ['error', ...noEnvironment],
      'no-restricted-syntax': ['error', noForwardRef, ...noSubjects],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true, IIFEs: true }],
    },
  },
  {
    // Markup is long, not complicated.
    files: ['apps/dashboard/src/**/*.tsx'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    rules: {
      'max-lines-per-function': ['error', { max: 120, skipBlankLines: true, skipComments: true }],
      // Handlers of events may be asynchronous: they show their errors themselves.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    },
  },
  {
    // Where a process begins, and where processes are begun.
    files: [
      '**/main.ts',
      '**/config.ts',
      '{packages/{local,testing},prisma,deploy/local,tests,bench}/src/**/*.ts',
    ],
    rules: { 'no-restricted-properties': 'off', '@typescript-eslint/no-restricted-imports': 'off' },
  },
  {
    files: ['apps/location/src/**/*.ts'],
    ignores: ['apps/location/src/ground/read-rows.ts', ...SPECS],
    rules: { 'no-restricted-syntax': ['error', noForwardRef, ...noSubjects, ...noUncheckedRows] },
  },
  {
    files: ['apps/*/src/**/rules/**/*.ts', 'packages/positioning/src/**/*.ts'],
    ignores: SPECS,
    rules: {
      'no-restricted-properties': [
        'error',
        ...noEnvironment,
        { object: 'Date', property: 'now', message: PASSED_IN },
        { object: 'Math', property: 'random', message: PASSED_IN },
        { object: 'performance', property: 'now', message: PASSED_IN },
      ],
      'no-restricted-syntax': [
        'error',
        noForwardRef,
        ...noSubjects,
        { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: PASSED_IN },
        { selector: 'ImportSpecifier[imported.name=/^(random|v[1-7]$|setTimeout$)/]', message: PASSED_IN },
      ],
    },
  },
  {
    files: ['packages/contracts/src/**/*.ts', ...SPECS],
    rules: { 'no-restricted-syntax': ['error', noForwardRef] },
  },
  {
    files: SPECS,
    rules: {
      'max-lines-per-function': 'off',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'no-restricted-properties': 'off',
      // A double that has nothing to do is empty.
      '@typescript-eslint/no-empty-function': 'off',
    },
  },
  {
    files: ['apps/*/src/**/index.ts', 'packages/{*,client/nats}/src/**/index.ts'],
    // What `pnpm pack:clients` publishes has one entry.
    ignores: [
      'packages/client/src/index.ts',
      'packages/client/nats/src/index.ts',
      'packages/nestjs/src/index.ts',
    ],
    rules: notLikeThis('No barrels: import each file by its own name.'),
  },
  {
    files: ['**/*.service.ts'],
    rules: notLikeThis('A file holds one operation and is named by it, verb first: create-project.ts.'),
  },
)
