import { describe, expect, it } from '@jest/globals'
import { tokenState } from './token-state.js'

const NOW = new Date('2026-01-31T09:00:00.000Z')
const BEFORE = new Date('2026-01-31T08:59:59.999Z')
const AFTER = new Date('2026-01-31T09:00:00.001Z')

describe('the state of an organization token', () => {
  it.each([
    ['active', { expiresAt: null, deletedAt: null }],
    ['active', { expiresAt: AFTER, deletedAt: null }],
    ['expired', { expiresAt: NOW, deletedAt: null }],
    ['expired', { expiresAt: BEFORE, deletedAt: null }],
    ['deleted', { expiresAt: AFTER, deletedAt: BEFORE }],
    ['deleted', { expiresAt: BEFORE, deletedAt: BEFORE }],
  ])('is %s for %j', (state, life) => {
    expect(tokenState(life, NOW)).toBe(state)
  })
})
