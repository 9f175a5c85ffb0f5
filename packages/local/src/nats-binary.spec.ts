import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { findNatsServer, isSupportedNats } from './nats-binary.js'

const run = promisify(execFile)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bearing-nats-binary-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

describe('findNatsServer', () => {
  it('replaces a cached version that is too old, by one that runs here', async () => {
    const cached = join(folder, 'usr', 'sbin', 'nats-server')
    await mkdir(dirname(cached), { recursive: true })
    await writeFile(cached, '#!/bin/sh\necho "nats-server: v2.9.10"\n')
    await chmod(cached, 0o755)
    const found = await findNatsServer(folder)
    const { stdout } = await run(found, ['--version'])
    expect(isSupportedNats(stdout)).toBe(true)
  })
})

describe('isSupportedNats', () => {
  it.each([
    ['nats-server: v2.9.10', false],
    ['1.99.0', false],
    ['nats-server: v2.10.27', true],
    ['2.15.1', true],
    ['3.0.0-dev', true],
    ['nothing of the kind', false],
  ])('%s: %s', (version, supported) => {
    expect(isSupportedNats(version)).toBe(supported)
  })
})
