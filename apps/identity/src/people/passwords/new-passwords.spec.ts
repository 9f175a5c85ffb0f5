import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requestPasswordReset } from '@bearing/contracts/identity/people/password'
import { bootstrapAdmin, createUser } from '@bearing/contracts/identity/people/user'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TestIdentity } from '../../testing/test-identity.js'

describe('identity with a list of breached passwords, and without a mail server', () => {
  const breached = 'nobody else has this one'
  let folder: string
  let path: string
  let stack: Stack
  let identity: TestIdentity

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bearing-passwords-'))
    path = join(folder, 'breached')
    await writeFile(path, `${createHash('sha1').update(breached).digest('hex').toUpperCase()}:3\n`)
    stack = await startStack({
      services: ['identity'],
      gateways: 0,
      environment: { identity: { BREACHED_PASSWORDS_FILE: path, SMTP_URL: '' } },
    })
    identity = await TestIdentity.connect(stack)
  })

  afterAll(async () => {
    await identity.close()
    await stack.stop()
    await rm(folder, { recursive: true })
  })

  const create = (password: string) =>
    identity.callAsOperator(createUser, { email: `${randomUUID()}@example.com`, password })

  it.each([
    ["the operator's list", breached],
    ['the list that is built in', '123456789987654321'],
  ])('a password from %s is refused in every operation that sets one', async (_, password) => {
    const refused = { code: 'invalid_input', details: { errors: [{ pointer: '/password' }] } }
    await expect(create(password)).rejects.toMatchObject(refused)
    const first = { email: 'first@example.org', password }
    await expect(identity.callAsOperator(bootstrapAdmin, first)).rejects.toMatchObject(refused)
  })

  it('no password is refused if the list cannot be read', async () => {
    await expect(create('four words nobody guesses')).resolves.toBeDefined()
    await rm(path)
    await expect(create('four words nobody guesses')).rejects.toMatchObject({ code: 'service_unavailable' })
  })

  it('without a mail server, asking for a mail is refused, and says what is missing', async () => {
    const email = `${randomUUID()}@example.com`
    await expect(identity.call(requestPasswordReset, { email })).rejects.toMatchObject({
      code: 'mail_not_configured',
    })
    expect(await identity.database.mail.count()).toBe(0)
  })
})
