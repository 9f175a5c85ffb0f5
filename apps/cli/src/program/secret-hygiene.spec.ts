import { OperationError } from '@bearing/contracts/errors'
import { describe, expect, it } from '@jest/globals'
import { CREATED_AT, id, fakeGateway, TOKEN, type FakeGateway } from '../testing/fake-gateway.js'
import { runCli } from '../testing/run-cli.js'

const SECRET = 'Zx9-plAnted_secret'
const BASIC = Buffer.from(`ann@acme.example:${SECRET}`).toString('base64')
const CREATED = `brgo_${'Created0'.repeat(8)}`

/** A gateway that repeats the credential wherever it can. */
function indiscreet(): Promise<FakeGateway> {
  return fakeGateway({
    whoAmI: (_, headers) => {
      throw new OperationError(
        'credential_invalid',
        `You sent ${String(headers.authorization)} and ${SECRET}.`,
        {
          errors: [{ pointer: `/${SECRET}`, detail: `not ${SECRET}` }],
          reason: SECRET,
        },
      )
    },
    createOrganizationToken: () => ({ ...TOKEN, token: CREATED }),
    cycleUserKey: () => ({
      id: id(5),
      created_at: CREATED_AT,
      expires_at: null,
      second_factor: false,
      api_key: CREATED.replace('brgo', 'brgu'),
    }),
  })
}

const user = { BEARING_EMAIL: 'ann@acme.example', BEARING_PASSWORD: SECRET }

describe('a planted secret is in no output', () => {
  it.each<[string, string[], Record<string, string>, string?]>([
    ['a refused token in the environment', ['whoami'], { BEARING_ORG_TOKEN: SECRET }],
    ['a refused token as a flag', ['whoami', '--org-token', SECRET], {}],
    ['a refused token as a flag with "="', [`--org-token=${SECRET}`, 'whoami'], {}],
    ['a refused token from standard input', ['whoami', '--org-token', '-'], {}, `${SECRET}\n`],
    ['a refused password in the environment', ['whoami'], user],
    ['a refused password as a flag', ['whoami', '--email', 'ann@acme.example', '--password', SECRET], {}],
    [
      'a refused password from standard input',
      ['whoami', '--email', 'ann@acme.example', '--password', '-'],
      {},
      `${SECRET}\n`,
    ],
    ['a token with a line break at its end', ['whoami', '--org-token', `${SECRET}\n`], {}],
    ['a token that no header can carry', ['whoami', '--org-token', `${SECRET}\n${SECRET}`], {}],
    ['a token with a space in the environment', ['whoami'], { BEARING_ORG_TOKEN: `two ${SECRET}` }],
    ['an e-mail address that is a secret', ['whoami', '--email', `${SECRET}:x`, '--password', SECRET], {}],
    ['two kinds of credential', ['whoami', '--org-token', SECRET, '--password', SECRET], {}],
    ['two kinds in the environment', ['whoami'], { ...user, BEARING_ORG_TOKEN: SECRET }],
    ['a password without an e-mail address', ['whoami', '--password', SECRET], {}],
    ['a mistyped flag with "="', ['whoami', `--org-tokn=${SECRET}`], {}],
    ['a mistyped flag', ['whoami', '--passwrd', SECRET], {}],
    ['a short flag', ['whoami', `-p${SECRET}`], {}],
    ['the place of a command', [SECRET], {}],
    ['the place of a subcommand', ['projects', SECRET], {}],
    ['one argument too many', ['whoami', SECRET], {}],
    ['the value of a choice', ['org-tokens', 'create', '--description', 'x', '--permission', SECRET], {}],
    ['the name of a shell', ['completion', SECRET], {}],
    ['an access point', ['locate', '--ap', SECRET], {}],
    ['a time', ['org-tokens', 'create', '--description', 'x', '--expires-in', SECRET], {}],
    ['the address', ['whoami', '--url', `http://root:${SECRET}@127.0.0.1:9`], { BEARING_ORG_TOKEN: 'other' }],
    [
      'the address in the environment',
      ['whoami'],
      { BEARING_ORG_TOKEN: 'other', BEARING_LOCATION_URL: `http://a:${SECRET}@h` },
    ],
    ['an unreachable address', ['whoami', '--url', 'http://127.0.0.1:9'], { BEARING_ORG_TOKEN: SECRET }],
    [
      'the address of NATS',
      ['access-points', 'import', '/dev/null', '--shared', '--nats-url', `nats://a:${SECRET}@127.0.0.1:9`],
      {},
    ],
    [
      'the nkey of NATS',
      ['access-points', 'import', '/dev/null', '--shared', '--nats-url', 'nats://127.0.0.1:9'],
      { BEARING_NATS_NKEY_SEED: SECRET },
    ],
  ])('%s', async (_, args, environment, stdin = '') => {
    await using gateway = await indiscreet()
    const runs = [['--verbose'], ['--verbose', '--json']].map((mode) =>
      runCli([...mode, ...args], { environment: { BEARING_URL: gateway.url, ...environment }, stdin }),
    )
    for (const ran of await Promise.all(runs)) {
      const all = ran.stdout + ran.stderr
      expect(ran.code).not.toBe(0)
      expect(all).not.toBe('')
      for (const form of [SECRET, encodeURIComponent(SECRET), Buffer.from(SECRET).toString('base64'), BASIC])
        expect(all).not.toContain(form)
    }
  })
})

describe('a created secret', () => {
  it.each([[['org-tokens', 'create', '--description', 'x', '--org', 'acme']], [['user-key', 'create']]])(
    'is on standard output once and nowhere else: %j',
    async (args) => {
      await using gateway = await indiscreet()
      for (const mode of [[], ['--json']]) {
        const ran = await runCli([...args, '--verbose', ...mode], {
          environment: { BEARING_URL: gateway.url, ...user },
        })
        expect(ran.code).toBe(0)
        expect(ran.stdout.match(/Created0Created0/g)).toHaveLength(4)
        expect(ran.stderr).toMatch(/POST http:.* 201 \d+ ms request req-7c1f/)
        expect(ran.stderr).not.toContain('Created0')
      }
    },
  )

  it('that was typed in the place of a slug is hidden in the output of --verbose', async () => {
    await using gateway = await indiscreet()
    const ran = await runCli(['projects', 'show', CREATED, '--org', 'acme', '--verbose'], {
      environment: { BEARING_URL: gateway.url, ...user },
    })
    expect(ran.stderr).toContain('brgo_[hidden]')
    expect(ran.stderr).not.toContain('Created0')
  })
})
