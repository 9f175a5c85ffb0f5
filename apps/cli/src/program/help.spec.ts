import { expect, it } from '@jest/globals'
import { runCli } from '../specs/run-cli.js'

it.each([['devices', 'tail'], ['webhooks', 'deliveries', 'list'], ['devices'], []])(
  'bearing help %s %s %s prints the same as the command with --help',
  async (...path) => {
    const [asCommand, asFlag] = await Promise.all([runCli(['help', ...path]), runCli([...path, '--help'])])
    expect(asCommand).toEqual({ code: 0, stderr: '', stdout: expect.stringContaining(path.join(' ')) })
    expect(asCommand).toEqual(asFlag)
  },
)
