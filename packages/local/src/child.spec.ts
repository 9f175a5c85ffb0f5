import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { launch } from './child.js'

/** Returns true if a process exists, also as a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const env = { PATH: '/usr/bin:/bin' }

describe('launch', () => {
  it('stops a process that does not want to end', async () => {
    const child = await launch({
      name: 'stubborn',
      command: '/bin/sh',
      args: ['-c', 'trap "" TERM; echo ready; while :; do sleep 0.05; done'],
      env,
      graceMs: 200,
    })
    while (child.lastLines().length === 0) await sleep(10)
    await child.stop()
    expect(isAlive(child.pid)).toBe(false)
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' })
  })

  it('keeps the last lines of what was printed', async () => {
    const child = await launch({ name: 'seq', command: 'seq', args: ['1', '100'], env })
    await child.exited
    expect(child.lastLines()).toHaveLength(40)
    expect(child.lastLines().at(-1)).toBe('100')
  })

  it('lets a process append its output to a file itself, and reads the last lines of it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bearing-child-'))
    const outputFile = join(folder, 'seq.log')
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    for (const to of ['2', '100']) {
      const child = await launch({ name: 'seq', command: 'seq', args: ['1', to], env, log, outputFile })
      await child.exited
      expect(child.lastLines().at(-1)).toBe(to)
    }
    expect((await readFile(outputFile, 'utf8')).split('\n').slice(0, 4)).toEqual(['1', '2', '1', '2'])
    expect(lines).toEqual([])
    await rm(folder, { recursive: true })
  })

  it('says what could not be started', async () => {
    await expect(launch({ name: 'Nothing', command: '/nowhere', args: [], env })).rejects.toThrow(
      /^Nothing could not be started: /,
    )
  })

  it('ends a process whose parent was killed', async () => {
    const parent = await launch({
      name: 'parent',
      command: process.execPath,
      args: [
        '--input-type=module',
        '--eval',
        `const { launch } = await import(${JSON.stringify(new URL('child.js', import.meta.url).href)})
         const child = await launch({ name: 'child', command: 'sleep', args: ['60'], env: { PATH: '/usr/bin:/bin' } })
         console.log(child.pid)`,
      ],
      env,
    })
    while (parent.lastLines().length === 0) await sleep(10)
    const pid = Number(parent.lastLines()[0])
    expect(isAlive(pid)).toBe(true)
    await parent.kill()
    for (let tries = 0; tries < 3_000 && isAlive(pid); tries++) await sleep(20)
    expect(isAlive(pid)).toBe(false)
  })
})
