import { readSettings } from '@bearing/service/ground/settings'
import { describe, expect, it } from '@jest/globals'
import { CONFIG } from './config.js'

const ID = '01910000-0000-7000-8000-000000000000'
const OTHER = '01910000-0000-7000-8000-000000000001'

describe('PASS_THROUGH', () => {
  const read = (PASS_THROUGH: string) =>
    readSettings({ PASS_THROUGH: CONFIG.PASS_THROUGH }, { PASS_THROUGH }).PASS_THROUGH

  it('names an origin for each project, with TLS or on this machine', () => {
    const origins = read(`${ID}=https://chunks.example.com, ${OTHER}=http://127.0.0.1:8000`)
    expect([...origins].map(([id, url]) => [id, url.href])).toEqual([
      [ID, 'https://chunks.example.com/'],
      [OTHER, 'http://127.0.0.1:8000/'],
    ])
    expect(read('').size).toBe(0)
  })

  it.each([
    'https://chunks.example.com',
    ID,
    `${ID}=chunks.example.com`,
    `${ID}=http://chunks.example.com`,
    `${ID}=http://127.0.0.1.example.com`,
    `${ID}=https://chunks.example.com/api`,
    `${ID}=https://user@chunks.example.com`,
    `${ID}=ftp://localhost`,
    'a-project=https://chunks.example.com',
    `${ID}=https://chunks.example.com,${OTHER}=`,
  ])('refuses %s', (text) => {
    expect(() => read(text)).toThrow('must be pairs such as')
  })
})
