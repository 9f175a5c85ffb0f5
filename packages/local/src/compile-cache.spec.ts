import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { compileCache, sweepCompileCache } from './compile-cache.js'
import { startProcess } from './process.js'

const DAY_MS = 24 * 3600 * 1_000

let checkout: string
let cache: string
let script: string
beforeAll(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'bearing-compile-cache-'))
  cache = compileCache(checkout)
  script = join(checkout, 'program.mjs')
})
afterAll(async () => {
  await rm(checkout, { recursive: true })
})

/** Runs the program, and returns the lines that it prints. */
async function run(): Promise<string[]> {
  const printed: string[] = []
  const log = (line: string) => printed.push(line)
  const program = await startProcess({ name: 'program', script, env: {}, compileCache: cache, log })
  await program.exited
  return printed
}

async function entries(): Promise<string[]> {
  const found = await readdir(cache, { recursive: true, withFileTypes: true })
  return found.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

it('keeps what was compiled of a program, and never runs what the program was, nor what is damaged', async () => {
  await writeFile(script, 'console.log("one")')
  expect(await run()).toEqual(['one'])
  const [entry = '', ...others] = await entries()
  expect(others).toEqual([])
  const compiled = await readFile(entry)
  expect(await run()).toEqual(['one'])
  expect(await readFile(entry)).toEqual(compiled)
  await writeFile(script, 'console.log("two")')
  expect(await run()).toEqual(['two'])
  expect(await entries()).toEqual([entry])
  expect(await readFile(entry)).not.toEqual(compiled)
  for (const damaged of [compiled, compiled.subarray(0, 50), compiled.fill(7, 100, 120)]) {
    await writeFile(entry, damaged)
    expect(await run()).toEqual(['two'])
  }
})

it('loses what was written more than 30 days ago, and nothing else', async () => {
  const old = join(cache, 'of-a-file-that-is-gone')
  await writeFile(old, '')
  await utimes(old, new Date(), new Date(Date.now() - 31 * DAY_MS))
  const [kept] = (await entries()).filter((path) => path !== old)
  await utimes(String(kept), new Date(), new Date(Date.now() - 29 * DAY_MS))
  await sweepCompileCache(cache)
  expect(await entries()).toEqual([kept])
  await sweepCompileCache(join(checkout, 'that-nobody-has-made'))
})
