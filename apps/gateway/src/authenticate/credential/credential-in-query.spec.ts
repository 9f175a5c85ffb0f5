import { describe, expect, it } from '@jest/globals'
import { hasCredentialInQuery } from './credential-in-query.js'

describe('credential in the query', () => {
  it.each([
    [{ access_token: 'x' }],
    [{ Token: 'x' }],
    [{ api_key: '' }],
    [{ page: '1', note: 'brgo_0123' }],
    [{ q: ['a', 'brgu_0123'] }],
  ])('is found in %j', (query) => {
    expect(hasCredentialInQuery(query)).toBe(true)
  })

  it.each([[{}], [{ page: '1', per_page: '5000' }], [{ '': '' }]])('is not found in %j', (query) => {
    expect(hasCredentialInQuery(query)).toBe(false)
  })
})
