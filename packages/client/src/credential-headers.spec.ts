import { expect, it } from '@jest/globals'
import { credentialHeaders } from './credential-headers.js'

it.each(['\n', '\r\n', '\n\n'])('a line break at the end of a secret is not sent: %j', (end) => {
  const bearer = { authorization: 'Bearer T0ken' }
  expect(credentialHeaders({ kind: 'organization_token', token: `T0ken${end}` })).toEqual(bearer)
  expect(credentialHeaders({ kind: 'legacy_token', token: `\ufeffT0ken${end}` })).toEqual(bearer)
  expect(credentialHeaders({ kind: 'login', token: `T0ken${end}` })).toEqual(bearer)
  expect(credentialHeaders({ kind: 'project_key', key: `k3y${end}` })).toEqual({
    'Service-Project-Key': 'k3y',
  })
  const user = { kind: 'user', email: `ann@acme.example${end}`, secret: ` pass word ${end}` } as const
  expect(credentialHeaders(user)).toEqual({
    authorization: `Basic ${btoa('ann@acme.example: pass word ')}`,
  })
})
