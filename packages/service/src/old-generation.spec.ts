import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'

const run = promisify(execFile)

/** Has 48 MB of its own, and is handed 12 pieces of 9 MiB by a thread; prints how many full collections that took. */
const program = (first: string) => `
  import { PerformanceObserver, constants } from 'node:perf_hooks'
  import { setTimeout as sleep } from 'node:timers/promises'
  import { Worker } from 'node:worker_threads'
  ${first}
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
      const piece = new Uint8Array(9 * 1024 * 1024).fill(1)
      parentPort.postMessage(piece, [piece.buffer])
    })\`, { eval: true })
  const handed = []
  for (let index = 0; index < 12; index++) {
    worker.postMessage('')
    handed.push(await new Promise((resolve) => worker.once('message', resolve)))
    await sleep(100)
  }
  await worker.terminate()
  console.log(JSON.stringify({ full, kept: own.length + handed.length }))
`

/** As services are started. */
const STARTED = `
  import { start } from '${new URL('./start.js', import.meta.url).href}'
  await new Promise((resolve) => start(async () => { resolve() }))
`

/** As Node is after some seconds in which little was asked of it: it then lets its heap grow as little as it can. */
const AFTER_A_REST = ['--expose-gc', '--optimize-for-size']

async function fullCollections(first: string): Promise<number> {
  const options = [...AFTER_A_REST, '--input-type=module', '--eval', program(first)]
  const { stdout } = await run(process.execPath, options)
  return (JSON.parse(stdout) as { full: number }).full
}

it('a service that is handed memory is not collected each time', async () => {
  const [asEver, doubled] = await Promise.all([fullCollections(''), fullCollections(STARTED)])
  expect(asEver).toBeGreaterThan(2 * doubled)
})
