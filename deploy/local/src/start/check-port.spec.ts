import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'

const SCRIPT = join(import.meta.dirname, '..', '..', '..', 'check-port.mjs')

describe('the check before the build of `pnpm start`', () => {
  const other = createServer()
  let state: string
  let taken: string

  beforeAll(async () => {
    state = await mkdtemp(join(tmpdir(), 'bearing-check-'))
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    taken = String((other.address() as AddressInfo).port) // of a TCP server
  })
  afterAll(async () => {
    other.close()
    await rm(state, { recursive: true })
  })

  async function check(port: string): Promise<{ code: number | null; said: string }> {
    const child = spawn(process.execPath, [SCRIPT], { env: { BEARING_PORT: port, BEARING_STATE: state } })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number | null] // as Node declares the event
    return { code, said }
  }

  it('names the setting, and a port that is free, if the port is taken', async () => {
    const { code, said } = await check(taken)
    expect(code).toBe(1)
    const [, free = ''] =
      /^Port \d+ is taken by another program\..* BEARING_PORT=(\d+) npx pnpm start\n$/.exec(said) ?? []
    expect(await check(free)).toEqual({ code: 0, said: '' })
  })

  it('refuses what is no port', async () => {
    expect(await check('80800')).toMatchObject({ code: 1, said: expect.stringContaining('BEARING_PORT') })
  })

  it('leaves the port of a start that was killed to the start itself', async () => {
    await writeFile(join(state, 'start.sock'), '')
    expect(await check(taken)).toEqual({ code: 0, said: '' })
    await rm(join(state, 'start.sock'))
  })

  it('says that Bearing already runs, whatever the port', async () => {
    const running = createServer((socket) => socket.destroy()).listen(join(state, 'start.sock'))
    await once(running, 'listening')
    const { code, said } = await check(taken)
    running.close()
    expect({ code, said }).toEqual({
      code: 1,
      said: expect.stringContaining(`already runs with the data in ${state}`),
    })
  })
})
