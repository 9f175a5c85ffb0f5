import { describe, expect, it } from '@jest/globals'
import { submitObservations } from '@bearing/contracts/location/observations/observation'
import { v7 } from 'uuid'
import { messageOf } from './message-of.js'

const NOW = Date.UTC(2026, 10, 28)
const [organization_id, project_id] = [v7(), v7()]
const TOKEN = { kind: 'organization_token', address: '192.0.2.1' } as const

it('what is contributed with a project key names its client network as a hash, and nothing else does', () => {
  const submission = submitObservations.input.parse({
    organization_id,
    project_id,
    items: [{ position: { latitude: 48, longitude: 11 }, wifiAccessPoints: [] }],
  })
  const networkOf = (kind: 'user' | 'project_key', address: string) =>
    messageOf(submission, { kind, address }, NOW).message.network
  expect(networkOf('user', '192.0.2.1')).toBeNull()
  expect(networkOf('project_key', '192.0.2.1')).toBe(networkOf('project_key', '192.0.2.200'))
  expect(networkOf('project_key', '192.0.2.1')).not.toBe(networkOf('project_key', '192.0.3.1'))
  expect(networkOf('project_key', '2001:db8:1:2::1')).toBe(networkOf('project_key', '2001:db8:1:3::1'))
  expect(networkOf('project_key', '192.0.2.1')).not.toContain('192.0')
})

const messageFor = (position: object, age?: number) =>
  messageOf(
    submitObservations.input.parse({
      organization_id,
      project_id,
      items: [
        {
          position: { latitude: 48, longitude: 11, ...position },
          wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:11', signalStrength: -61, age }],
        },
      ],
    }),
    TOKEN,
    NOW,
  )
const read = (position: object) => messageFor(position).message.observations[0]

it('nothing is stored of an address that opted out, also where the scan has it once more without its name', () => {
  const [hidden, other] = ['020000000010', '020000000020']
  const item = {
    position: { latitude: 48, longitude: 11 },
    wifiAccessPoints: [
      { macAddress: hidden, signalStrength: -50 },
      { macAddress: hidden, signalStrength: -52, ssid: 'home_nomap' },
      { macAddress: other, signalStrength: -60, ssid: 'home' },
    ],
  }
  const parsed = submitObservations.input.parse({ organization_id, project_id, items: [item] })
  const [observation] = messageOf(parsed, TOKEN, NOW).message.observations
  expect(observation?.readings).toEqual([[0x02_00_00_00_00_20, -60, null]])
})

it('a position that does not say how exact it is is good enough to be a reference scan', () => {
  expect(read({})?.accuracy_meters).toBe(10)
})

describe('a position that says that it is bad', () => {
  it.each([
    ['as phones do where they have none', { accuracy: -1 }],
    ['beyond what is in range', { accuracy: 5e6 }],
    ['by its age', { accuracy: 5, age: 7_200_000 }],
  ])('is not taken for a good one: %s', (_, position) => {
    expect(messageFor(position)).toMatchObject({
      message: { observations: [] },
      reasons: { inaccurate_position: 1 },
    })
  })

  it('is not taken for one of a device that walks, and what was heard hours ago not for new', () => {
    expect(messageFor({ speed: 1e6 }).reasons).toEqual({ too_fast: 1 })
    expect(read({ speed: -1 })?.speed).toBeNull()
    expect(messageFor({}, 7_200_000).reasons).toEqual({ nothing_fresh: 1 })
  })
})

describe('radio cells of a submission', () => {
  const cell = { mobileCountryCode: 262, mobileNetworkCode: 1, locationAreaCode: 7, cellId: 9 }
  const messageWith = (cellTowers: unknown) =>
    messageOf(
      submitObservations.input.parse({
        organization_id,
        project_id,
        items: [{ position: { latitude: 48, longitude: 11 }, cellTowers }],
      }),
      TOKEN,
      NOW,
    ).message.observations.map(({ cells }) => cells)

  it('are taken where they have all parts; what is wrong with one costs neither the others nor the scan', () => {
    const sent = [
      { ...cell, radioType: 'LTE', signalStrength: -95.4, age: -300, timingAdvance: 5 },
      { ...cell, radioType: 'gsm', signalStrength: 0, age: null },
      { ...cell, radioType: 'nr', cellId: undefined, newRadioCellId: 2 ** 36 - 1, signalStrength: -0.2 },
      { ...cell, cellId: '9', mobileNetworkCode: '01' },
      { ...cell, cellId: 'nine' },
      { ...cell, radioType: 3 },
      { ...cell, radioType: 'cdma' },
      { ...cell, radioType: '', newRadioCellId: 0 },
      { ...cell, radioType: 'lte', cellId: null, newRadioCellId: 9 },
      { ...cell, mobileCountryCode: 1_000 },
      { ...cell, locationAreaCode: 7.5 },
      'not a cell',
      null,
      7,
    ]
    expect(messageWith(sent)).toEqual([
      [
        [4, 262, 1, 7, 9, -95, 300],
        [2, 262, 1, 7, 9, null, null],
        [5, 262, 1, 7, 2 ** 36 - 1, -1, null],
        [4, 262, 1, 7, 9, null, null],
        [4, 262, 1, 7, 9, null, null],
      ],
    ])
  })

  it('are enough without an access point, and without either nothing is stored', () => {
    expect(messageWith([cell])).toEqual([[[4, 262, 1, 7, 9, null, null]]])
    expect(messageWith([{ radioType: 'lte' }])).toEqual([])
  })
})
