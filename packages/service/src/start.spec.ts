import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from '@jest/globals'

const run = promisify(execFile)
const MIB = 1024 * 1024
const moduleOf = (name: string) => new URL(`./${name}.js`, import.meta.url).href

/** What programs here have at hand. */
const PRELUDE = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { setImmediate as nextTurn } from 'node:timers/promises'
  import { start } from '${moduleOf('start')}'
  import { bytesPassed } from '${moduleOf('passing-bytes')}'
  const sizeOf = (name) => getHeapSpaceStatistics().find((space) => space.space_name === name).space_size
  const usedOf = (name) => getHeapSpaceStatistics().find((space) => space.space_name === name).space_used_size
  const kept = []
  const keep = (count) => { for (let made = 0; made < count; made++) kept.push({ made, text: [made] }) }
`

/** Runs a program; what it prints is JSON. */
async function program(text: string, ...options: string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [
    ...options,
    '--input-type=module',
    '--eval',
    PRELUDE + text,
  ])
  return JSON.parse(stdout)
}

describe('a program that is started', () => {
  it('has a small young generation after it has loaded what stays, and a larger one as soon as there is work for it', async () => {
    const { loaded, working } = (await program(`
      start(async () => {
        keep(400_000)
        const loaded = sizeOf('new_space')
        setImmediate(() => {
          keep(400_000)
          console.log(JSON.stringify({ loaded, working: sizeOf('new_space') }))
        })
      })
    `)) as { loaded: number; working: number }
    expect(loaded).toBeLessThan(24 * MIB)
    expect(working).toBeGreaterThan(24 * MIB)
  })

  it('keeps nothing of the scans that it has read', async () => {
    // With room for all that it may keep: no full collection hides it.
    const { grown } = (await program(
      `
      import { resolveWifiLocation } from '${new URL('../../contracts/dist/location/wifi.js', import.meta.url).href}'
      const id = '018f0000-0000-7000-8000-000000000001'
      const scan = (number) => Array.from({ length: 20 }, (_, index) => ({
        macAddress: (0x020000000000 + 32 * number + index).toString(16).padStart(12, '0'),
        signalStrength: -45 - index,
      }))
      const read = async (count) => {
        for (let number = 0; number < count; number++) {
          const text = JSON.stringify({ organization_id: id, project_id: id, accessPoints: scan(number) })
          resolveWifiLocation.input.parse(JSON.parse(text))
          await nextTurn()
        }
      }
      start(async () => {
        setImmediate(async () => {
          await read(2_000)
          const before = usedOf('old_space')
          await read(8_000)
          console.log(JSON.stringify({ grown: usedOf('old_space') - before }))
        })
      })
    `,
      '--initial-heap-size=2000',
    )) as { grown: number }
    expect(grown).toBeLessThan(20 * MIB)
  })

  it('says in one line why it cannot start, and exits with 1', async () => {
    const failed = await run(process.execPath, [
      '--input-type=module',
      '--eval',
      `${PRELUDE}
      import { SettingsError } from '${moduleOf('settings')}'
      start(() => Promise.reject(new SettingsError('PORT: is missing')))`,
    ]).catch((error: unknown) => error)
    expect(failed).toMatchObject({ code: 1, stderr: 'PORT: is missing\n' })
  })
})

it('buffers of bytes that have passed do not pile up', async () => {
  const most = `
    let most = 0
    const part = 128 * 1024
    for (let passed = 0; passed < 512 * 1024 * 1024; passed += part) {
      new Uint8Array(part).fill(1)
      TELL
      if (passed % (8 * part) === 0) await nextTurn()
      most = Math.max(most, process.memoryUsage().arrayBuffers)
    }
    console.log(JSON.stringify(most))
  `
  expect(await program(most.replace('TELL', 'bytesPassed(part)'))).toBeLessThan(8 * MIB)
  expect(await program(most.replace('TELL', ''))).toBeGreaterThan(16 * MIB)
})
