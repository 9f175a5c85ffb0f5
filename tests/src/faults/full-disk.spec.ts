import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TestDevice } from '../tools/device-data.js'

const DISK_MIB = 64
const KIB = 1024

const isRoot = process.getuid?.() === 0
const asRoot = isRoot ? describe : describe.skip
const reason = isRoot ? '' : ' (skipped: only root can make a small disk)'

asRoot(`a full disk under NATS${reason}`, () => {
  let disk: string
  let stack: Stack
  let own: TestOrganization

  beforeAll(async () => {
    disk = await mkdtemp(join(tmpdir(), 'bearing-disk-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${String(DISK_MIB)}m`, 'tmpfs', disk])
    stack = await startStack({ gateways: 1, services: ['identity', 'management'], directory: disk })
    own = await newOrganization(stack)
  })

  afterAll(async () => {
    await stack.stop()
    execFileSync('umount', [disk])
    await rm(disk, { recursive: true })
  })

  it('is 503 for devices, and what was acknowledged is stored when there is room again', async () => {
    const device = new TestDevice(stack.gatewayUrls[0] ?? '', own, own.project)
    const acknowledged: string[] = []
    let sent = 0
    // One that is refused may be stored all the same, so no two are alike.
    const send = async (size: number) => {
      const body = `chunk ${String(++sent)} `.padEnd(size, '.')
      const reply = await device.send(body)
      if (reply.status === 202) acknowledged.push(body)
      return reply
    }
    expect((await send(100)).status).toBe(202)
    expect(await device.stored(1)).toHaveLength(1)
    await stack.part('management').kill()
    const { bavail, bsize } = await statfs(disk)
    const filler = join(disk, 'filler')
    await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - 512 * KIB)))
    const refused = await eventually(
      async () => {
        const reply = await send(32 * KIB)
        expect(reply.status).not.toBe(202)
        return reply
      },
      { withinMs: 60_000, everyMs: 1 },
    )
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(acknowledged.length).toBeGreaterThan(1)
    await rm(filler)
    // As a platform does that watches its health: JetStream leaves a full disk alone until then.
    await stack.part('nats').kill()
    await stack.part('nats').start()
    await stack.part('management').start()
    await eventually(
      async () => {
        expect((await send(100)).status).toBe(202)
      },
      { withinMs: 60_000, everyMs: 200 },
    )
    await eventually(async () => {
      const stored = await device.stored(acknowledged.length)
      expect(stored.filter((body) => acknowledged.includes(body))).toEqual(acknowledged)
    })
  })
})
