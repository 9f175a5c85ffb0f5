import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'
import { requireNode } from './start.js'

const run = promisify(execFile)
const moduleOf = (name: string) => new URL(`./${name}.js`, import.meta.url).href

it('a program with a wrong setting prints one line that names it, and exits with 1', async () => {
  const program = `
    import { start } from '${moduleOf('start')}'
    import { SettingsError } from '${moduleOf('../ground/settings')}'
    start(() => Promise.reject(new SettingsError('PORT: is missing')))`
  const failed = await run(process.execPath, ['--input-type=module', '--eval', program]).catch(
    (error: unknown) => error,
  )
  expect(failed).toMatchObject({ code: 1, stderr: 'PORT: is missing\n' })
})

it('a service refuses versions of Node on which it would fail later', () => {
  expect(() => {
    requireNode('20.20.2')
  }).toThrow('Bearing needs Node 24 or newer; this is 20.20.2.')
  requireNode('24.0.0')
  requireNode('26.1.0')
})
