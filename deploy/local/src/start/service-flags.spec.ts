import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { SERVICE_FLAGS } from '@bearing/local/process'
import { expect, it } from '@jest/globals'

const run = promisify(execFile)
const MIB = 1024 * 1024
const WIFI = pathToFileURL(
  join(import.meta.dirname, '../../../../packages/contracts/dist/location/lookups/wifi.js'),
).href

/** Runs a module in Node. @returns the JSON that it prints */
async function program(text: string, flags: readonly string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [...flags, '--input-type=module', '--eval', text])
  return JSON.parse(stdout)
}

/** Validates 8,000 scans. Prints by how many bytes the old generation has grown. */
const VALIDATION = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { setImmediate as nextTurn } from 'node:timers/promises'
  import { resolveWifiLocation } from '${WIFI}'
  const used = () => getHeapSpaceStatistics().find((space) => space.space_name === 'old_space').space_used_size
  const id = '018f0000-0000-7000-8000-000000000001'
  const scan = (number) => Array.from({ length: 20 }, (_, index) => ({
    macAddress: (0x020000000000 + 32 * number + index).toString(16).padStart(12, '0'),
    signalStrength: -45 - index,
  }))
  const validate = async (count) => {
    for (let number = 0; number < count; number++) {
      const text = JSON.stringify({ organization_id: id, project_id: id, accessPoints: scan(number) })
      resolveWifiLocation.input.parse(JSON.parse(text))
      await nextTurn()
    }
  }
  await validate(2_000)
  const before = used()
  await validate(8_000)
  console.log(used() - before)
`

it('validated scans leave less than 2 kB each in the old generation of a process with the flags of a service', async () => {
  // With room for all that could stay: no full collection hides it.
  const grown = await program(VALIDATION, [...SERVICE_FLAGS, '--initial-heap-size=2000'])
  expect(grown).toBeLessThan(16 * MIB)
})

/** Has 48 MB of its own, and gets 12 buffers of 9 MiB from a thread. Prints the number of full collections. */
const TRANSFERS = `
  import { PerformanceObserver, constants } from 'node:perf_hooks'
  import { setTimeout as sleep } from 'node:timers/promises'
  import { Worker } from 'node:worker_threads'
  const own = Array.from({ length: 500_000 }, (_, made) => ({ made, text: [made] }))
  for (let round = 0; round < 3; round++) {
    await gc({ type: 'major', execution: 'async' })
    await sleep(100)
  }
  let full = 0
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) full++
  }).observe({ entryTypes: ['gc'] })
  const worker = new Worker(\`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', () => {
      const buffer = new Uint8Array(9 * 1024 * 1024).fill(1)
      parentPort.postMessage(buffer, [buffer.buffer])
    })\`, { eval: true })
  const received = []
  for (let index = 0; index < 12; index++) {
    worker.postMessage('')
    received.push(await new Promise((resolve) => worker.once('message', resolve)))
    await sleep(100)
  }
  await worker.terminate()
  if (own.length + received.length !== 500_012) throw new Error('something was not kept')
  console.log(full)
`

it('transferred buffers cause less than half the full collections in a process with the flags of a service', async () => {
  // As V8 is after some idle seconds: it lets its heap grow as little as possible.
  const idle = ['--expose-gc', '--optimize-for-size']
  const [without, withFlags] = await Promise.all([
    program(TRANSFERS, idle),
    program(TRANSFERS, [...idle, ...SERVICE_FLAGS]),
  ])
  expect(without).toBeGreaterThan(2 * Number(withFlags))
})
