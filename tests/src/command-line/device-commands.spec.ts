import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CHUNK_HEADERS, chunkSubject, messageId } from '@bearing/contracts/management/data/chunk-message'
import { connectNats } from '@bearing/nats/connection'
import { MessageStore } from '@bearing/nats/message-store'
import { eventually } from '@bearing/testing/eventually'
import { DEFAULT_DATA_POLICY } from '@bearing/contracts/management/data/data-policy'
import { newMember, newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { folderForSuite, forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { bearing, runBearing } from '../tools/bearing.js'
import { TestDevice, newSerial } from '../tools/device-data.js'

describe('bearing, for the data of devices', () => {
  const own = forSuite(() => newOrganization())
  const directory = folderForSuite()

  it('sends chunks with the project key, which it looks up with another credential', async () => {
    const device = new TestDevice(testStack().gatewayUrls[0] ?? '', own, own.project)
    const file = join(directory, 'looked-up.bin')
    await writeFile(file, 'sent with a token')
    const upload = ['chunks', 'upload', file, '--device', device.serial]
    expect(await bearing(own, upload)).toMatchObject({ code: 0 })
    expect(await device.stored(1)).toEqual(['sent with a token'])
  })

  it('posts files as chunks of a device with the project key, and lists, shows and deletes it', async () => {
    const device = new TestDevice(testStack().gatewayUrls[0] ?? '', own, own.project)
    const contents = [randomBytes(300), Buffer.from('second')]
    const files = contents.map((_, i) => join(directory, `${String(i)}.bin`))
    for (const [i, file] of files.entries()) await writeFile(file, contents[i] ?? '')
    const withKey = { BEARING_ORG_TOKEN: undefined, BEARING_PROJECT_KEY: own.project.key }
    const args = [
      'chunks',
      'upload',
      ...files,
      '--device',
      device.serial,
      '--hardware-version',
      'evt',
      '--json',
    ]
    const posted = await bearing(own, args, withKey)
    expect(posted).toMatchObject({ code: 0 })
    expect(JSON.parse(posted.stdout)).toEqual({ device_serial: device.serial, chunks: 2, bytes: 306 })
    expect(await device.stored(2)).toEqual(contents.map((content) => content.toString('latin1')))

    const chunk = (...rest: string[]) => bearing(own, ['chunks', ...rest, '--device', device.serial])
    const found = await bearing(own, ['chunks', 'list', device.serial, '--json'])
    const chunks = JSON.parse(found.stdout) as { id: string; size: number }[]
    expect(chunks.map(({ size }) => size)).toEqual([300, 6])
    const into = join(directory, 'first')
    expect(await chunk('download', chunks[0]?.id ?? '', '--output', into)).toMatchObject({ code: 0 })
    expect(await readFile(into)).toEqual(contents[0])
    expect(await chunk('download', chunks[1]?.id ?? '', '--output', into)).toMatchObject({ code: 2 })
    expect(await chunk('download', chunks[1]?.id ?? '', '-o', '-')).toMatchObject({
      code: 0,
      stdout: 'second',
    })
    expect(await chunk('download', randomUUID(), '-o', '-')).toMatchObject({ code: 1, stdout: '' })

    const listed = await bearing(own, ['devices', 'list'])
    expect(listed).toMatchObject({ code: 0 })
    expect(listed.stdout).toContain(device.serial)
    const shown = await bearing(own, ['devices', 'show', device.serial, '--json'])
    expect(JSON.parse(shown.stdout)).toMatchObject({ hardware_version: 'evt', chunk_count: 2 })
    const remove = ['devices', 'delete', device.serial, '--json', '--confirm']
    expect(await bearing(own, [...remove, 'another'])).toMatchObject({ code: 2 })
    const removed = await bearing(own, [...remove, device.serial])
    expect(JSON.parse(removed.stdout)).toMatchObject({ deleted: { chunks: 2 }, left: { chunks: 0 } })
    expect(await bearing(own, ['devices', 'show', device.serial])).toMatchObject({ code: 1 })
  })

  it('registers devices, again without a change but what is said of them', async () => {
    const serials = [newSerial(), newSerial()]
    const register = (...rest: string[]) =>
      bearing(own, ['devices', 'register', ...serials, ...rest, '--json'])
    const registered = await register('--hardware-version', 'evt')
    expect(registered).toMatchObject({ code: 0 })
    const when = { registered_at: expect.any(String) as unknown }
    const device = { hardware_version: 'evt', first_seen_at: null, ...when }
    expect(JSON.parse(registered.stdout)).toEqual(
      serials.map((device_serial) => expect.objectContaining({ ...device, device_serial })),
    )
    expect((await register()).stdout).toBe(registered.stdout)
    expect(await bearing(own, ['devices', 'register', 'not a serial'])).toMatchObject({ code: 1 })
    const known = new TestDevice(testStack().gatewayUrls[0] ?? '', own, own.project)
    await known.send('x')
    await known.stored(1)
    const late = await bearing(own, ['devices', 'register', known.serial, '--json'])
    expect(JSON.parse(late.stdout)).toEqual([expect.objectContaining({ chunk_count: 1, ...when })])
  })

  it('lists and shows devices to a user too, and rejects a project key with the reason', async () => {
    const device = new TestDevice(testStack().gatewayUrls[0] ?? '', own, own.project)
    await device.send('x')
    await device.stored(1)
    const member = await newMember(own, 'member', [{ project: own.project, role: 'reader' }])
    const asUser = {
      BEARING_ORG_TOKEN: undefined,
      BEARING_EMAIL: member.email,
      BEARING_PASSWORD: member.apiKey,
    }
    const asProject = { BEARING_ORG_TOKEN: undefined, BEARING_PROJECT_KEY: own.project.key }
    const show = ['devices', 'show', device.serial, '--json']
    const remove = ['devices', 'delete', device.serial, '--confirm', device.serial]
    expect((await bearing(own, ['devices', 'list'], asUser)).stdout).toContain(device.serial)
    expect(JSON.parse((await bearing(own, show, asUser)).stdout)).toMatchObject({ chunk_count: 1 })
    // A reader may not.
    expect(await bearing(own, remove, asUser)).toMatchObject({ code: 1 })
    for (const args of [['devices', 'list'], show, remove])
      expect(await bearing(own, args, asProject)).toMatchObject({ code: 1 })
    expect(await bearing(own, remove)).toMatchObject({ code: 0 })
  })

  it('sets the sampling of a project and of one device, which follows its project again', async () => {
    const of = await newOrganization()
    const serial = newSerial()
    const run = async (...args: string[]) => {
      const ended = await bearing(of, ['devices', ...args, '--json'])
      expect(ended).toMatchObject({ code: 0 })
      return JSON.parse(ended.stdout) as unknown
    }
    const sampling = { ...DEFAULT_DATA_POLICY.sampling, logging: 'off' }
    expect(await run('policy', 'set', '--logging', 'off')).toEqual({ ...DEFAULT_DATA_POLICY, sampling })
    await run('register', serial)
    expect(await run('sampling', 'set', serial, '--logging', 'high')).toMatchObject({
      sampling: { logging: 'high' },
    })
    expect(await run('sampling', 'set', serial, '--debugging', 'low')).toMatchObject({
      sampling: { logging: 'high', debugging: 'low' },
    })
    expect(await run('sampling', 'set', serial, '--logging', 'project')).toMatchObject({
      sampling: { debugging: 'low' },
    })
    expect(await bearing(of, ['devices', 'sampling', 'set', serial, '--logging', 'loud'])).toMatchObject({
      code: 2,
    })
  })

  it('shows and changes the data policy, and nothing of it but what is named', async () => {
    const policy = ['devices', 'policy', 'set', '--json']
    const change = async (...flags: string[]) => {
      const ended = await bearing(own, [...policy, ...flags])
      expect(ended).toMatchObject({ code: 0 })
      return JSON.parse(ended.stdout) as unknown
    }
    expect(await change()).toEqual(DEFAULT_DATA_POLICY)
    const first = { retention_days: 30, file_bytes: { mar: 1_000, coredump: 5 } }
    expect(
      await change('--retention-days', '30', '--file-bytes', 'mar=1000', '--file-bytes', 'coredump=5'),
    ).toEqual({ ...DEFAULT_DATA_POLICY, ...first })
    expect(
      await change(
        '--file-bytes',
        'mar=none',
        '--file-retention-days',
        'coredump=90',
        '--known-devices-only',
        'yes',
      ),
    ).toEqual({
      ...DEFAULT_DATA_POLICY,
      retention_days: 30,
      file_bytes: { coredump: 5 },
      file_retention_days: { coredump: 90 },
      known_devices_only: true,
    })
    const none = ['--retention-days', 'none', '--known-devices-only', 'no', '--file-bytes', 'coredump=none']
    expect(await change(...none, '--file-retention-days', 'coredump=none')).toEqual(DEFAULT_DATA_POLICY)
    expect((await bearing(own, ['devices', 'policy', 'show'])).stdout).toContain('Retention of chunks')
    for (const wrong of ['firmware=1', 'mar', 'mar=-1'])
      expect(await bearing(own, [...policy, '--file-bytes', wrong])).toMatchObject({ code: 2 })
    expect(await bearing(own, [...policy, '--file-retention-days', 'mar=0'])).toMatchObject({ code: 1 })
  })

  it('lists dead letters to operators, and says which could not be replayed', async () => {
    const serial = newSerial()
    const connection = await connectNats({ url: testStack().natsUrl, name: 'test' })
    try {
      await new MessageStore(connection).store({
        subject: chunkSubject({ organizationId: own.id, projectId: own.project.id, serial }),
        id: messageId(own.id),
        body: Buffer.from('abc'),
        headers: { [CHUNK_HEADERS.lengths]: '4' },
      })
    } finally {
      await connection.drain()
    }
    const operator = {
      BEARING_NATS_URL: testStack().natsUrl,
      BEARING_NATS_NKEY_SEED: testStack().nkeySeeds.operator,
    }
    const letter = await eventually(
      async () => {
        const { stdout } = await runBearing(['admin', 'dead-letters', 'list', '--json'], operator)
        const found = (JSON.parse(stdout) as { device_serial: string; number: number }[]).find(
          ({ device_serial }) => device_serial === serial,
        )
        if (!found) throw new Error('no such dead letter')
        return found
      },
      { withinMs: 20_000, everyMs: 100 },
    )
    const replay = await runBearing(
      ['admin', 'dead-letters', 'replay', String(letter.number), '--json'],
      operator,
    )
    expect(replay.code).toBe(1)
    expect(JSON.parse(replay.stdout)).toEqual([
      { number: letter.number, outcome: 'it has 3 bytes, and its header says 4' },
    ])
  })
})
