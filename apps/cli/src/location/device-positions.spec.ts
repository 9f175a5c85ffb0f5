import { page } from '@bearing/contracts/primitives'
import { describe, expect, it } from '@jest/globals'
import { CREATED_AT, type Answers } from '../testing/fake-gateway.js'
import { AS_USER, runAgainst } from '../testing/run-against.js'

const position = {
  ...{ lat: 48.137154, lon: 11.576124, uncertainty: 17.4, confidence: 95 },
  ...{ fulfilledWith: 'WIFI' as const, fallback: true, resolved_at: CREATED_AT },
}
const options = { environment: { ...AS_USER, BEARING_ORG: 'acme', BEARING_PROJECT: 'meter' } }
const DEVICE = '/v1/organizations/acme/projects/meter/location/devices/UNIT-7'
const run = (answers: Answers, ...rest: string[]) => runAgainst(answers, ['positions', ...rest], options)

describe('bearing positions', () => {
  it('show says where a device was last', async () => {
    const answers: Answers = { showDevicePosition: () => position }
    const shown = await run(answers, 'show', 'UNIT-7')
    expect(shown).toMatchObject({ code: 0, requests: [`GET ${DEVICE}/position`] })
    for (const text of ['48.137154', '11.576124', '17 m (95 %)', 'WIFI, by the fallback'])
      expect(shown.stdout).toContain(text)
    expect(JSON.parse((await run(answers, 'show', 'UNIT-7', '--json')).stdout)).toEqual(position)
  })

  it('list says where it was between two moments', async () => {
    const asked: unknown[] = []
    const answers: Answers = {
      listDevicePositions: (input) => {
        asked.push([input.from, input.to])
        return page([position], 1, input)
      },
    }
    const listed = await run(answers, 'list', 'UNIT-7', '--from', '2026-01-01', '--json')
    expect(JSON.parse(listed.stdout)).toEqual([position])
    expect(asked).toEqual([['2026-01-01T00:00:00.000Z', undefined]])
    expect(await run(answers, 'list', 'UNIT-7', '--to', 'yesterday')).toMatchObject({ code: 2, requests: [] })
  })

  it('delete is meant where the serial number is confirmed, and shows the proof', async () => {
    const gone = {
      ...{ device_serial: 'UNIT-7', deleted_at: CREATED_AT },
      ...{ deleted: { positions: 3 }, left: { positions: 0 } },
    }
    const answers: Answers = { deleteDevicePositions: () => gone }
    expect(await run(answers, 'delete', 'UNIT-7', '--confirm', 'UNIT-8')).toMatchObject({
      code: 2,
      requests: [],
    })
    const deleted = await run(answers, 'delete', 'UNIT-7', '--confirm', 'UNIT-7', '--json')
    expect(deleted).toMatchObject({ code: 0, requests: [`DELETE ${DEVICE}/positions`] })
    expect(JSON.parse(deleted.stdout)).toEqual(gone)
  })

  it('policy shows it, or changes what is given and leaves the rest', async () => {
    const asked: unknown[] = []
    const answers: Answers = {
      showPositionPolicy: () => ({ store_positions: false, retention_days: 30 }),
      changePositionPolicy: ({ store_positions, retention_days }) => {
        asked.push({ store_positions, retention_days })
        return { store_positions, retention_days }
      },
    }
    const shown = await run(answers, 'policy', 'show')
    expect(shown.stdout).toMatch(/Store positions\s+no/)
    expect(shown.stdout).toContain('30 days')
    expect((await run(answers, 'policy', 'set', '--store', 'yes')).code).toBe(0)
    expect((await run(answers, 'policy', 'set', '--retention-days', '7')).code).toBe(0)
    expect(asked).toEqual([
      { store_positions: true, retention_days: 30 },
      { store_positions: false, retention_days: 7 },
    ])
    for (const days of ['0', '3651', '1.5', 'many'])
      expect(await run(answers, 'policy', 'set', '--retention-days', days)).toMatchObject({
        code: 2,
        requests: [],
      })
  })
})
