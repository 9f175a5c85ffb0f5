import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { introspectCredential } from '@bearing/contracts/identity/credentials/credential'
import { findOnPath } from '@bearing/local/debian-package'
import { NatsClient } from '@bearing/nats/client'
import { connectNats } from '@bearing/nats/connection'
import { newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { folderForSuite, forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { ROOT } from '../tools/root.js'

const PAGE = readFileSync(join(ROOT, 'docs', 'internal-services.md'), 'utf8')
const [, SECTION = ''] = PAGE.split('## Verifying claims yourself\n')
/** Time limit of a program, in milliseconds. Go compiles its libraries first. */
const MAX_MS = 120_000
/** Folder in which Debian installs libraries for Go. */
const GOPATH = process.env['GOPATH'] ?? '/usr/share/gocode'
const GO_LIBRARIES = ['github.com/golang-jwt/jwt/v5', 'github.com/MicahParks/keyfunc/v3']

// Bearing needs neither Python nor Go, so a machine without one, or without its libraries, skips this and says so.
const pythons = [await findOnPath('python3'), '/usr/bin/python3'].filter((path) => path !== undefined)
const python = pythons.find((path) => spawnSync(path, ['-c', 'import jwt, cryptography']).status === 0)
const go = await findOnPath('go')
const hasGo = go !== undefined && GO_LIBRARIES.every((name) => existsSync(join(GOPATH, 'src', name)))
const testIf = (isThere: boolean, without: string, name: string, test: () => Promise<void>) => {
  if (isThere) it(name, test)
  else it.skip(`${name} (skipped: ${without})`, test)
}

describe('the example in docs/internal-services.md that verifies claims offline', () => {
  const directory = folderForSuite()
  const own = forSuite(() => newOrganization())
  const claims = { billing: '', other: '' }

  beforeAll(async () => {
    const { natsUrl: url, nkeySeeds } = testStack()
    const connection = await connectNats({ url, nkeySeed: nkeySeeds.introspector, name: 'introspector' })
    for (const audience of ['billing', 'other'] as const) {
      const asked = { ...own.token.credential, audience }
      const found = await new NatsClient(connection).call(introspectCredential, asked)
      claims[audience] = (found.active && found.claims) || ''
    }
    await connection.drain()
  })

  /** Returns the example in a language, with the gateway of the test. */
  function example(language: string): string {
    const [, block = ''] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(SECTION) ?? []
    expect(block).toContain('https://bearing.example.com')
    return block.replace('https://bearing.example.com', testStack().gatewayUrls[0] ?? '')
  }

  async function expectVerifies(command: string, args: readonly string[]): Promise<void> {
    const verify = (text: string) =>
      new Promise<{ readonly failed: boolean; readonly stdout: string; readonly stderr: string }>(
        (resolve) => {
          execFile(command, [...args, text], { timeout: MAX_MS }, (error, stdout, stderr) => {
            resolve({ failed: error !== null, stdout, stderr })
          })
        },
      )
    const right = await verify(claims.billing)
    expect(right).toMatchObject({ failed: false, stderr: '' })
    expect(JSON.parse(right.stdout)).toMatchObject({ credential_id: own.token.id, organization_id: own.id })
    const [header = '', body = '', signature = ''] = claims.billing.split('.')
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url')
    const swapped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    for (const wrong of [claims.other, `${header}.${body}.${swapped}`, `${unsigned}.${body}.`])
      expect(await verify(wrong)).toMatchObject({ failed: true, stdout: '' })
  }

  it('accepts claims for this service in Node, and no others', async () => {
    const modules = join(directory, 'node_modules')
    await mkdir(modules)
    await symlink(realpathSync(join(ROOT, 'tests', 'node_modules', 'jose')), join(modules, 'jose'))
    const program = join(directory, 'verify.mjs')
    const use = 'console.log(JSON.stringify(await principalOf(process.argv[2])))'
    await writeFile(program, `${example('js')}\n${use}\n`)
    await expectVerifies(process.execPath, [program])
  })

  testIf(
    python !== undefined,
    'no python3 with python3-jwt and python3-cryptography',
    'accepts claims for this service in Python, and no others',
    async () => {
      const program = join(directory, 'verify.py')
      const use = 'import json, sys\nprint(json.dumps(principal_of(sys.argv[1])))'
      await writeFile(program, `${example('python')}\n${use}\n`)
      await expectVerifies(python ?? '', [program])
    },
  )

  testIf(
    hasGo,
    `no golang-go with ${GO_LIBRARIES.join(' and ')} in ${GOPATH}`,
    'accepts claims for this service in Go, and no others',
    async () => {
      const program = join(directory, 'verify.go')
      await writeFile(program, example('go'))
      const built = join(directory, 'verify')
      const env = { ...process.env, GO111MODULE: 'off', GOPATH, GOCACHE: join(directory, 'cache') }
      const { status, stderr } = spawnSync(go ?? '', ['build', '-o', built, program], {
        encoding: 'utf8',
        env,
      })
      expect([status, stderr]).toEqual([0, ''])
      await expectVerifies(built, [])
    },
  )
})
