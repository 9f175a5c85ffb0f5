import { describe, expect, it } from '@jest/globals'
import { runAgainst } from '../../testing/run-against.js'

describe('bearing access-points erase', () => {
  const erasing = async (...args: string[]) => {
    const erased: unknown[] = []
    const ran = await runAgainst(
      {
        forgetAccessPoint: ({ macAddress }) => ({ removed: erased.push(macAddress) }),
        forgetArea: ({ lat, lon, radius }) => ({ removed: erased.push([lat, lon, radius]) }),
      },
      ['access-points', 'erase', ...args],
    )
    return { code: ran.code, erased }
  }

  it('asks whether a whole area is meant', async () => {
    const area = ['--area', '48.1372,11.5755,150']
    const nothing = { code: 2, erased: [] }
    expect(await erasing(...area)).toEqual(nothing)
    expect(await erasing(...area, '--confirm', '48.1372,11.5755,15')).toEqual(nothing)
    expect(await erasing(...area, '--confirm', '48.1372,11.5755,150')).toEqual({
      code: 0,
      erased: [[48.1372, 11.5755, 150]],
    })
  })

  it('needs no confirmation for a single access point', async () => {
    expect((await erasing('02:00:5e:00:00:1b')).erased).toHaveLength(1)
  })
})
