import { describe, expect, it } from '@jest/globals'
import { parseRule, parseRoles, rolesText } from './role-text.js'

describe('a rule of a role mapping', () => {
  it('is a value of the claim, a role in the organization, and roles in projects', () => {
    expect(parseRule('platform = admin')).toEqual({ value: 'platform', role: 'admin', projects: [] })
    expect(parseRule('cn=dev, dc=acme=member,thermostats:manager , meters:reader')).toEqual({
      value: 'cn=dev, dc=acme',
      role: 'member',
      projects: [
        { project: 'thermostats', role: 'manager' },
        { project: 'meters', role: 'reader' },
      ],
    })
  })

  it.each([
    '',
    'platform',
    '= admin',
    'a = owner',
    'a = member, b',
    'a = member, b:owner',
    'a = member, b:reader:c',
  ])('is not %j', (text) => {
    expect(parseRule(text)).toBeUndefined()
  })

  it('is written as it is read', () => {
    const projects = [{ project_id: 'p', role: 'reader' as const }]
    expect(parseRoles(rolesText('member', projects, () => 'meters'))).toEqual({
      role: 'member',
      projects: [{ project: 'meters', role: 'reader' }],
    })
  })
})
