import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { join } from 'node:path'
import { compileCache } from '@bearing/local/compile-cache'
import type { TestOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { ROOT } from './root.js'

const CLI = join(ROOT, 'apps', 'cli', 'dist', 'main.js')

/** The outcome of a run of the command line. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs `bearing` as a process of its own, with an organization's token in the environment, as people use it.
 *
 * @param environment replaces or removes (undefined) variables
 * @param input standard input
 */
export function bearing(
  organization: TestOrganization,
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
  input = '',
): Promise<Ended> {
  return runBearing(
    args,
    {
      BEARING_URL: testStack().gatewayUrls[0],
      BEARING_ORG: organization.slug,
      BEARING_PROJECT: organization.project.slug,
      BEARING_ORG_TOKEN: organization.token.token,
      ...environment,
    },
    input,
  )
}

/**
 * Runs `bearing` as a process of its own, with nothing but what is given in the environment.
 *
 * @param input standard input
 */
export function runBearing(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  input = '',
): Promise<Ended> {
  const child = spawnBearing(args, environment)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      resolve({ code, stdout, stderr })
    })
  })
}

/** Starts `bearing` as {@link runBearing} does, for a command that waits for something. */
export function spawnBearing(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [CLI, ...args], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCache(ROOT), ...environment },
  })
}
