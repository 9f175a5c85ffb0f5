import { existsSync, globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

// Jest runs what `pnpm build` compiled: native ESM, nothing is transformed, and types have been checked before.
// Run it with `pnpm test`, which builds first and gives Node the flag that ESM in Jest needs.

const ROOTS = ['packages', 'apps', 'prisma', 'deploy/local', 'bench', 'tests']

/** `tsc` leaves behind what it compiled from a source that is gone: such specs must not run. */
const stale = globSync(
  [...ROOTS, 'packages/client'].flatMap((root) => [
    `${root}/dist/**/*.spec.js`,
    `${root}/*/dist/**/*.spec.js`,
  ]),
  { cwd: import.meta.dirname },
).filter((spec) => !existsSync(join(import.meta.dirname, sourceOf(spec))))

function sourceOf(compiled) {
  return compiled.replace(/(^|\/)dist\//, '$1src/').replace(/\.js$/, '.ts')
}

/** @type {import('jest').Config} */
export default {
  rootDir: import.meta.dirname,
  roots: ROOTS.map((root) => `<rootDir>/${root}`).filter((root) =>
    existsSync(root.replace('<rootDir>', import.meta.dirname)),
  ),
  testMatch: [
    '<rootDir>/{packages,apps}/*/dist/**/*.spec.js',
    '<rootDir>/packages/client/nats/dist/**/*.spec.js',
    '<rootDir>/{prisma,deploy/local,bench,tests}/dist/**/*.spec.js',
  ],
  testPathIgnorePatterns: [
    '/node_modules/',
    ...stale.map((spec) => `${spec.replaceAll('.', String.raw`\.`)}$`),
  ],
  modulePathIgnorePatterns: ['/src/generated/'],
  transform: {},
  reporters: ['default', '<rootDir>/tests/suite-reporter.mjs'],
  testSequencer: '<rootDir>/tests/sequencer.mjs',
  testEnvironment: '<rootDir>/packages/testing/dist/test-environment.js',
  globalSetup: '<rootDir>/packages/testing/dist/global-setup.js',
  globalTeardown: '<rootDir>/packages/testing/dist/global-teardown.js',
  // One more than cores: many suites wait for processes that they have stopped or started.
  maxWorkers: Math.min(availableParallelism() + 1, 4),
  // Modules of finished suites stay in memory under ESM: start a new worker before that hurts.
  workerIdleMemoryLimit: '1GB',
  // Far longer than any test takes, so that a busy machine does not fail it. Only a hung test reaches it; no test and no hook
  // has a shorter limit.
  testTimeout: 300_000,
}
