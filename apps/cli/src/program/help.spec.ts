import { expect, it } from '@jest/globals'
import { runCli, runProcess } from '../testing/run-cli.js'
import { GROUPS } from './nouns.js'
import { commandTree } from './reference/command-tree.js'

it.each([['devices', 'tail'], ['webhooks', 'deliveries', 'list'], ['devices'], []])(
  'bearing help %s %s %s prints the same as the command with --help',
  async (...path) => {
    const [asCommand, asFlag] = await Promise.all([runCli(['help', ...path]), runCli([...path, '--help'])])
    expect(asCommand).toEqual({ code: 0, stderr: '', stdout: expect.stringContaining(path.join(' ')) })
    expect(asCommand).toEqual(asFlag)
  },
)

it.each([
  [['deliveries'], 'Unknown command "deliveries". Did you mean "bearing webhooks deliveries"?'],
  [
    ['tokens', 'list'],
    'Unknown command "tokens". Did you mean "bearing onboarding-tokens" or "bearing org-tokens" or "bearing legacy-tokens"?',
  ],
  [
    ['project-members', 'usage'],
    'Unknown command "usage". Did you mean "bearing organizations usage" or "bearing usage"?',
  ],
  [
    ['webhooks', 'test'],
    `Missing required argument 'id' (id of the webhook). Usage: bearing webhooks test [options] <id> ("bearing webhooks list" shows what there is)`,
  ],
])('bearing %s says where the command is, or how it is used', async (path, message) => {
  const { code, stderr } = await runCli(path)
  expect([code, stderr.split('\n')[0]]).toEqual([2, `error: ${message}`])
})

it('bearing help lists commands in groups after three examples, and the options at its end', async () => {
  const { stdout } = await runCli(['help'])
  const titles = stdout.match(/^\S.*:$/gm)
  expect(titles?.slice(0, 3)).toEqual(['Examples:', 'Start here:', 'Devices:'])
  expect(titles?.at(-1)).toBe('Options:')
  expect(titles).not.toContain('Commands:')
  expect(stdout.match(/^ {2}bearing /gm)).toHaveLength(3)
})

it('the help of the program has the usage of every command, although it loads none of them', async () => {
  const program = await commandTree()
  const listed = Object.values(GROUPS).flatMap((nouns) => Object.entries(nouns))
  const usages = listed.flatMap(([name, { usage }]) => (usage === undefined ? [] : [[name, usage]]))
  const declared = usages.map(([name]) => {
    const command = program.commands.find((one) => one.name() === name)
    return [
      name,
      command
        ?.createHelp()
        .commandUsage(command)
        .replace(`bearing ${String(name)} `, ''),
    ]
  })
  expect(usages).toEqual(declared)
  expect(usages.length).toBeGreaterThan(5)
})

/** Counts the files that Node loads, and prints the number at the end of standard error. */
const COUNT = `
import { registerHooks } from 'node:module'
let files = 0
registerHooks({ load: (url, context, next) => (url.startsWith('file:') && files++, next(url, context)) })
process.on('exit', () => process.stderr.write('files: ' + files))`

it.each([
  ['--version', 50],
  ['help', 50],
  ['devices list --help', 180],
])('bearing %s loads at most %i files', async (line, most) => {
  const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(COUNT)}` }
  const { stderr } = await runProcess(line.split(' '), { environment })
  const files = Number(/files: (\d+)$/.exec(stderr)?.[1])
  expect(files).toBeGreaterThan(10)
  expect(files).toBeLessThanOrEqual(most)
})
