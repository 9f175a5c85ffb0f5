import { page } from '@bearing/contracts/primitives'
import { describe, expect, it } from '@jest/globals'
import { CREATED_AT, id, type Answers } from '../testing/fake-gateway.js'
import { AS_USER, runAgainst } from '../testing/run-against.js'

const SECRET = 'a'.repeat(43)
const invitation = (number: number, email: string) => ({
  ...{ id: id(number), email, role: 'member' as const, projects: [], state: 'pending' as const },
  ...{ sent_at: CREATED_AT, expires_at: CREATED_AT, invited_by: id(4), accepted_at: null, revoked_at: null },
})
const listInvitations: Answers['listInvitations'] = (input) =>
  page(
    [invitation(9, 'ada@example.com'), invitation(8, 'ada@example.com'), invitation(7, 'ben@example.com')],
    3,
    input,
  )
const options = { environment: AS_USER }

describe('bearing invitations', () => {
  it('create invites with the role and the roles in projects that are given, by slug', async () => {
    let asked: unknown
    const answers: Answers = {
      listProjects: (input) =>
        page([{ id: id(2), slug: 'gate', name: 'Gate', created_at: CREATED_AT }], 1, input),
      createInvitation: (input) => {
        asked = input
        return invitation(9, input.email)
      },
    }
    const args = [
      'invitations',
      'create',
      'Ada@Example.com',
      '--role',
      'admin',
      '--project-role',
      'gate=reader',
    ]
    const { code, stdout, stderr } = await runAgainst(answers, args, options)
    expect(code).toBe(0)
    expect(asked).toMatchObject({
      email: 'ada@example.com',
      role: 'admin',
      projects: [{ project_id: id(2), role: 'reader' }],
    })
    expect(stdout).toContain(id(9))
    expect(stderr).toContain('72 hours')
  })

  it.each([
    ['a project that there is not', ['--project-role', 'gaet=reader'], '"gaet"'],
    ['a role that there is not', ['--project-role', 'gate=owner'], 'project='],
    ['a role of the organization that there is not', ['--role', 'owner'], '--role'],
  ])('create invites nobody to %s', async (_, more, said) => {
    const listProjects: Answers['listProjects'] = (input) => page([], 0, input)
    const args = ['invitations', 'create', 'ada@example.com', ...more]
    const { code, stderr, requests } = await runAgainst({ listProjects }, args, options)
    expect(code).toBe(2)
    expect(stderr).toContain(said)
    expect(requests.filter((request) => request.startsWith('POST'))).toEqual([])
  })

  it('list shows what became of each, and says what to do where there is none', async () => {
    const { stdout } = await runAgainst({ listInvitations }, ['invitations', 'list'], options)
    expect(stdout).toMatch(/ben@example\.com +member +0 +pending/)
    const none = await runAgainst(
      { listInvitations: (input) => page([], 0, input) },
      ['invitations', 'list'],
      options,
    )
    expect(none).toMatchObject({ code: 0, stdout: '' })
    expect(none.stderr).toContain('bearing invitations create <email>')
  })

  it.each([
    ['resend', 'POST', '/resend'],
    ['delete', 'DELETE', ''],
  ])('%s takes an id, or an address: then it is the newest one', async (command, method, action) => {
    const asked: unknown[] = []
    const answer = (input: { invitation_id: string }) => {
      asked.push(input.invitation_id)
      return invitation(9, 'ada@example.com')
    }
    const answers: Answers = { listInvitations, resendInvitation: answer, revokeInvitation: answer }
    const byAddress = await runAgainst(answers, ['invitations', command, 'ADA@example.com'], options)
    expect(byAddress.code).toBe(0)
    expect(byAddress.requests.at(-1)).toBe(
      `${method} /api/v0/organizations/acme/invitations/${id(9)}${action}`,
    )
    expect((await runAgainst(answers, ['invitations', command, id(7)], options)).requests).toHaveLength(1)
    expect(asked).toEqual([id(9), id(7)])
    const unknown = await runAgainst(answers, ['invitations', command, 'eve@example.com'], options)
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain('bearing invitations list')
  })
})

describe('bearing invitations accept', () => {
  const accepted = { user_id: id(4), email: 'ada@example.com', organization_id: id(1), account_created: true }

  it('takes secret and password from standard input, sends no credential, and repeats neither', async () => {
    let asked: unknown
    let authorization: string | undefined
    const answers: Answers = {
      acceptInvitation: (input, headers) => {
        asked = input
        authorization = headers.authorization
        return accepted
      },
    }
    const stdin = `${SECRET}\nfour words nobody guesses\n`
    const { code, stdout, stderr } = await runAgainst(answers, ['invitations', 'accept', '--verbose'], {
      ...options,
      stdin,
    })
    expect(code).toBe(0)
    expect(asked).toEqual({ secret: SECRET, password: 'four words nobody guesses' })
    expect(authorization).toBeUndefined()
    for (const secret of [SECRET, 'four words']) expect(stdout + stderr).not.toContain(secret)
  })

  it('with --existing-account asks for no password, and sends none', async () => {
    let asked: object = {}
    const answers: Answers = {
      acceptInvitation: (input) => {
        asked = input
        return { ...accepted, account_created: false }
      },
    }
    const args = ['invitations', 'accept', '--existing-account']
    const { code, stderr } = await runAgainst(answers, args, { ...options, stdin: `${SECRET}\n` })
    expect(code).toBe(0)
    expect(asked).toEqual({ secret: SECRET })
    expect(stderr).toContain('has joined')
  })

  it('sends nothing where a line is missing', async () => {
    for (const stdin of ['', `${SECRET}\n`])
      expect(await runAgainst({}, ['invitations', 'accept'], { ...options, stdin })).toMatchObject({
        code: 2,
        requests: [],
      })
  })
})
