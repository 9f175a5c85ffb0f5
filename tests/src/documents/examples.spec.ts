import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findOnPath } from '@bearing/local/debian-package'
import { newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { folderForSuite, forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { ROOT } from '../tools/root.js'

const EXAMPLES = join(ROOT, 'examples')
const PYTHON = join(EXAMPLES, 'python', 'ask_identity.py')
const GO = join(EXAMPLES, 'go', 'main.go')
/** Folder in which Debian installs libraries for Go. */
const GOPATH = process.env['GOPATH'] ?? '/usr/share/gocode'
/** Time limit of an example, in milliseconds. It waits 3 s for an answer. */
const MAX_MS = 120_000

// Bearing needs neither language, so a machine without one, or without its NATS client, skips this and says so.
const python = await findOnPath('python3')
const go = await findOnPath('go')
const hasNatsPy = python !== undefined && spawnSync(python, ['-c', 'import nats, nkeys']).status === 0
const hasNatsGo = go !== undefined && existsSync(join(GOPATH, 'src', 'github.com', 'nats-io', 'nats.go'))
const testIf = (isThere: boolean, without: string, name: string, test: () => Promise<void> | void) => {
  if (isThere) it(name, test)
  else it.skip(`${name} (skipped: ${without})`, test)
}

interface Ended {
  readonly code: unknown
  readonly stdout: string
  readonly stderr: string
}

describe('an example that asks identity over NATS', () => {
  const directory = folderForSuite()
  const own = forSuite(() => newOrganization())

  /** Runs an example as a NATS user, with a token on its standard input. */
  async function ask(
    command: string,
    args: readonly string[],
    token: string,
    user: 'introspector' | 'location' = 'introspector',
  ): Promise<Ended> {
    const { natsUrl, nkeySeeds } = testStack()
    const seed = join(directory, `${user}.nk`)
    await writeFile(seed, nkeySeeds[user], { mode: 0o600 })
    const environment = {
      // Without the user and password of the test, which may do everything.
      NATS_URL: `nats://${new URL(natsUrl).host}`,
      NATS_USER: user,
      NATS_NKEY_FILE: seed,
      PATH: process.env['PATH'],
    }
    return new Promise((resolve) => {
      const child = execFile(
        command,
        args,
        { env: environment, timeout: MAX_MS },
        (error, stdout, stderr) => {
          resolve({ code: error ? error.code : 0, stdout, stderr })
        },
      )
      child.stdin?.end(`${token}\n`)
    })
  }

  async function expectAnswers(command: string, args: readonly string[]): Promise<void> {
    const { token } = own.token
    const valid = await ask(command, args, token)
    expect(valid).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(valid.stdout)).toMatchObject({ kind: 'organization_token', organization_id: own.id })
    const mistyped = await ask(command, args, `${token}x`)
    expect(mistyped).toMatchObject({ code: 1, stdout: '', stderr: 'refused: malformed\n' })
    const unanswered = await ask(command, args, token, 'location')
    expect(unanswered).toMatchObject({ code: 3, stdout: '' })
    expect(unanswered.stderr).toContain('cannot be verified')
  }

  testIf(python !== undefined, 'no python3', 'in Python compiles', () => {
    const compile = 'import pathlib, sys; compile(pathlib.Path(sys.argv[1]).read_text(), sys.argv[1], "exec")'
    expect(
      spawnSync(python ?? '', ['-W', 'error', '-c', compile, PYTHON], { encoding: 'utf8' }),
    ).toMatchObject({
      status: 0,
      stderr: '',
    })
  })

  testIf(
    hasNatsPy,
    'python3 has no nats-py, which Debian does not package',
    'in Python receives the holder of a token, a refusal, and "cannot be verified"',
    () => expectAnswers(python ?? '', [PYTHON]),
  )

  testIf(
    hasNatsGo,
    'no golang-go with golang-github-nats-io-go-nats-dev',
    'in Go receives the holder of a token, a refusal, and "cannot be verified"',
    async () => {
      const program = join(directory, 'ask-identity')
      const environment = { ...process.env, GO111MODULE: 'off', GOPATH, GOCACHE: join(directory, 'cache') }
      const built = spawnSync(go ?? '', ['build', '-o', program, GO], { encoding: 'utf8', env: environment })
      expect(built).toMatchObject({ status: 0, stderr: '' })
      const vetted = spawnSync(go ?? '', ['vet', GO], { encoding: 'utf8', env: environment })
      expect(vetted).toMatchObject({ status: 0, stderr: '' })
      await expectAnswers(program, [])
    },
  )
})
