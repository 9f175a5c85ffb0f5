import { describe, expect, it } from '@jest/globals'
import { tokenRequestMistakes } from './token-request.js'

const NOW = new Date('2026-01-31T09:00:00.000Z')

describe('the request for an organization token', () => {
  it('may ask for fewer permissions than a token can have', () => {
    expect(tokenRequestMistakes({}, NOW)).toEqual([])
    expect(tokenRequestMistakes({ permissions: ['location:resolve'] }, NOW)).toEqual([])
  })

  it('is answered with every mistake and its place', () => {
    const mistakes = tokenRequestMistakes(
      {
        permissions: ['location:resolve', 'organization-token:create', 'user:create'],
        expires_at: '2026-01-31T09:00:00.000Z',
      },
      NOW,
    )
    expect(mistakes.map(({ pointer }) => pointer)).toEqual([
      '/permissions/1',
      '/permissions/2',
      '/expires_at',
    ])
  })
})
