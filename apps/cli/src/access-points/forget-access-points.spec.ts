import { describe, expect, it } from '@jest/globals'
import { runAgainst } from '../specs/run-against.js'

describe('bearing access-points forget', () => {
  const forgetting = async (...args: string[]) => {
    const forgotten: unknown[] = []
    const ran = await runAgainst(
      {
        forgetAccessPoint: ({ macAddress }) => ({ removed: forgotten.push(macAddress) }),
        forgetArea: ({ lat, lon, radius }) => ({ removed: forgotten.push([lat, lon, radius]) }),
      },
      ['access-points', 'forget', ...args],
    )
    return { code: ran.code, forgotten }
  }

  it('asks whether a whole area is meant', async () => {
    const area = ['--area', '48.1372,11.5755,150']
    const nothing = { code: 2, forgotten: [] }
    expect(await forgetting(...area)).toEqual(nothing)
    expect(await forgetting(...area, '--confirm', '48.1372,11.5755,15')).toEqual(nothing)
    expect(await forgetting(...area, '--confirm', '48.1372,11.5755,150')).toEqual({
      code: 0,
      forgotten: [[48.1372, 11.5755, 150]],
    })
  })

  it('takes the word of whoever names one', async () => {
    expect((await forgetting('02:00:5e:00:00:1b')).forgotten).toHaveLength(1)
  })
})
