import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { ROOT } from '../tools/root.js'

const RUN = join(ROOT, 'tests', 'run.mjs')
const { OWN_STAGES, listedSuites, stagePattern } = (await import(
  pathToFileURL(join(ROOT, 'tests', 'select.mjs')).href
)) as {
  OWN_STAGES: string[]
  listedSuites: (file: string) => string[]
  stagePattern: (stages: ReadonlySet<string>) => string | undefined
}

function run(...args: readonly string[]) {
  const { status, stdout } = spawnSync(process.execPath, [RUN, '--only', 'tests', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return { status, last: stdout.trimEnd().split('\n').at(-1) }
}

describe('a run of the tests', () => {
  it('selects suites for each source of an app', () => {
    const sources = globSync('apps/*/src/**/*.{ts,tsx}', { cwd: ROOT })
    expect(sources.length).toBeGreaterThan(500)
    const without = sources.filter((file) => listedSuites(file).length === 0)
    expect(without).toEqual([])
  })

  it('selects the suites of its wing and the journeys of the gateway for the forwarder', () => {
    const suites = listedSuites('apps/gateway/src/forward/forward.ts')
    expect(suites).toContain('tests/dist/gateway/limits.spec.js')
    expect(suites.some((suite) => suite.startsWith('apps/gateway/dist/forward/'))).toBe(true)
  })

  it('has each suite in one stage', () => {
    const suites = globSync('{packages,apps,prisma,deploy,bench,tests}/**/dist/**/*.spec.js', {
      cwd: ROOT,
      exclude: (path) => path.endsWith('node_modules'),
    }).map((suite) => join(ROOT, suite))
    const patterns = ['tests', ...OWN_STAGES].map(
      (stage) => [stage, new RegExp(stagePattern(new Set([stage])) ?? '')] as const,
    )
    const stagesOf = (suite: string) =>
      patterns.filter(([, pattern]) => pattern.test(suite)).map(([stage]) => stage)
    expect(suites.filter((suite) => stagesOf(suite).length !== 1)).toEqual([])
    expect(new Set(suites.flatMap(stagesOf)).size).toBe(patterns.length)
    expect(stagesOf(join(ROOT, 'tests/dist/webhooks/webhooks.spec.js'))).toEqual(['stacks'])
  })

  it('fails if no test has the name, because nothing was tested', () => {
    const path = 'packages/contracts/src/durations.spec.ts'
    expect(run(path, '-t', 'no test has this name')).toEqual({ status: 1, last: '0 passed, 1 failed' })
  })

  it('fails if no suite has the path', () => {
    expect(run('packages/contracts/src/no-such.spec.ts').status).toBe(1)
  })
})
