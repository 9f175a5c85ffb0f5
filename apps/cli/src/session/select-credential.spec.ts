import { describe, expect, it } from '@jest/globals'
import { UsageError } from '../ground/usage-error.js'
import { selectCredential, type GivenCredentials } from './select-credential.js'

const token: GivenCredentials = { orgToken: 'T' }
const user: GivenCredentials = { email: 'a@b.example', password: 'P' }
const key: GivenCredentials = { projectKey: 'K' }

describe('the credential', () => {
  it('comes from the environment where no flag gives one', () => {
    expect(selectCredential({}, token).credential).toEqual({ kind: 'organization_token', token: 'T' })
    expect(selectCredential({}, user).credential).toEqual({ kind: 'user', email: 'a@b.example', secret: 'P' })
    expect(selectCredential({}, key).credential).toEqual({ kind: 'project_key', key: 'K' })
  })

  it('of a flag beats that of the environment', () => {
    expect(selectCredential({ orgToken: 'F' }, token).credential).toMatchObject({ token: 'F' })
  })

  it('of a flag hides every other kind in the environment', () => {
    for (const flags of [token, user, key])
      expect(
        selectCredential(flags, { orgToken: 'E', email: 'E', password: 'E', projectKey: 'E' }).credential,
      ).toEqual(selectCredential(flags, {}).credential)
  })

  it('of a user may be half flag and half environment', () => {
    const { credential, description } = selectCredential({ email: 'c@d.example' }, user)
    expect(credential).toEqual({ kind: 'user', email: 'c@d.example', secret: 'P' })
    expect(description).toContain('--email')
    expect(description).toContain('BEARING_PASSWORD')
  })

  it('says where it came from', () => {
    expect(selectCredential(token, {}).description).toBe('the organization token from --org-token')
    expect(selectCredential({}, key).description).toBe('the project key from BEARING_PROJECT_KEY')
  })
})

describe('refused is', () => {
  it.each([
    [{ ...token, ...key }, '--org-token and --project-key'],
    [{ ...token, ...user }, '--org-token and --email'],
    [{ ...token, password: 'P' }, '--org-token and --password'],
    [{ ...token, ...user, ...key }, '--org-token, --email and --project-key'],
  ])('two kinds by flag, naming the flags: %j', (flags, named) => {
    expect(() => selectCredential(flags, {})).toThrow(named)
    expect(() => selectCredential(flags, {})).toThrow(UsageError)
  })

  it('two kinds in the environment, naming the variables', () => {
    expect(() => selectCredential({}, { ...token, ...user })).toThrow('BEARING_ORG_TOKEN and BEARING_EMAIL')
    expect(() => selectCredential({}, { ...key, password: 'P' })).toThrow(
      'BEARING_PASSWORD and BEARING_PROJECT_KEY',
    )
  })

  it('half a user, naming what is missing', () => {
    expect(() => selectCredential({ email: 'a@b.example' }, {})).toThrow('--email needs --password')
    expect(() => selectCredential({}, { password: 'P' })).toThrow('--password needs --email')
  })

  it('nothing, and an empty flag', () => {
    expect(() => selectCredential({}, {})).toThrow('No credential was given.')
    expect(() => selectCredential({ orgToken: '' }, token)).toThrow('--org-token is empty.')
  })
})
