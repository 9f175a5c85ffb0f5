import { OperationError } from '@bearing/contracts/errors'
import { describe, expect, it } from '@jest/globals'
import type { Answers } from '../testing/fake-gateway.js'
import { runAgainst as run } from '../testing/run-against.js'

const PLACE = { lat: 48.1, lon: 11.5, uncertainty: 23.4 }

describe('bearing positions latest', () => {
  const position = (device_serial: string) => ({
    ...{ device_serial, ...PLACE, confidence: 68, fulfilledWith: 'WIFI' as const, fallback: false },
    resolved_at: '2026-01-31T09:00:00.000Z',
  })
  const answers: Answers = {
    listLatestPositions: ({ bbox, cursor, format }) => {
      if (bbox && bbox.west > 170) throw new OperationError('invalid_input', 'No.')
      const [data, next] =
        cursor === undefined ? [[position('A'), position('B')], 'B'] : [[position('C')], null]
      if (format === 'json') return { data, next }
      const features = data.map(({ lat, lon, ...properties }) => ({
        ...{ type: 'Feature' as const, id: properties.device_serial, properties },
        geometry: { type: 'Point' as const, coordinates: [lon, lat] as [number, number] },
      }))
      return { type: 'FeatureCollection', features, next }
    },
  }
  const latest = (...rest: string[]) => run(answers, ['positions', 'latest', ...rest])

  it('lists all pages as a table, as JSON, and as GeoJSON', async () => {
    expect((await latest('--bbox=10,47,12,49')).stdout).toMatch(/^C +2026-01-31/m)
    expect(JSON.parse((await latest('--json', '--since', '12h')).stdout)).toHaveLength(3)
    expect(JSON.parse((await latest('--geojson')).stdout)).toMatchObject({
      ...{ type: 'FeatureCollection', features: [{ id: 'A' }, {}, { id: 'C' }] },
    })
  })

  it('are filtered as a whole, or one by one', async () => {
    expect((await latest('--jq', 'length')).stdout).toBe('3\n')
    expect((await latest('-o', 'ndjson', '--jq', '.device_serial')).stdout).toBe('A\nB\nC\n')
  })

  it('reads and prints no more than the limit', async () => {
    const limited = await latest('--limit', '2', '--json')
    expect(JSON.parse(limited.stdout)).toHaveLength(2)
    expect(limited.requests).toEqual([expect.stringContaining('per_page=2')])
    expect((await latest('-L', '2')).stderr).not.toContain('print all')
  })

  it('refuses what is no box or no time before it asks', async () => {
    for (const wrong of [
      ['--bbox', '1,2,3'],
      ['--since', 'yesterday'],
    ])
      expect(await latest(...wrong)).toMatchObject({ code: 2, requests: [] })
    expect(await latest('--bbox=175,47,179,49')).toMatchObject({ code: 1 })
  })
})
