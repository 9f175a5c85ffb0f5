import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { freePort, isPortFree } from './ports.js'
import { startProcess } from './process.js'

const SERVICE = `
  import { createServer } from 'node:http'
  console.log('secret of the environment:', process.env.SECRET, process.env.HOME)
  if (process.argv[2] === 'fail') throw new Error('no configuration')
  const from = Date.now()
  createServer((_, response) => response.writeHead(Date.now() - from > 300 ? 200 : 503).end())
    .listen(Number(process.env.PORT), '127.0.0.1')
`

let directory: string
let script: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bearing-process-'))
  script = join(directory, 'service.mjs')
  await writeFile(script, SERVICE)
})
afterAll(async () => {
  await rm(directory, { recursive: true })
})

describe('startProcess', () => {
  it('waits until the address answers with 200, and hands on what is printed', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/readyz`
    const printed: string[] = []
    const log = (line: string) => printed.push(line)
    const service = await startProcess({
      name: 'x',
      script,
      env: { PORT: `${port}`, SECRET: 's' },
      log,
      ready: { url },
    })
    expect((await fetch(url)).status).toBe(200)
    await service.stop()
    expect(printed).toEqual(['secret of the environment: s undefined'])
    expect(await isPortFree(port, '127.0.0.1')).toBe(true)
  })

  it('reports the output of a program that exited too early', async () => {
    const ready = { url: `http://127.0.0.1:${await freePort()}/` }
    const start = startProcess({ name: 'identity', script, args: ['fail'], env: {}, ready })
    await expect(start).rejects.toThrow(/^identity ended with code 1 before it was ready.*no configuration/s)
  })

  it('does not wait for ever', async () => {
    const ready = { url: `http://127.0.0.1:${await freePort()}/`, deadlineMs: 400 }
    const start = startProcess({ name: 'identity', script, env: { PORT: `${await freePort()}` }, ready })
    await expect(start).rejects.toThrow(/^identity was not ready after 0.4 s/)
  })
})
