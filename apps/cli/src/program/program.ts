import { Help, Option, Command, type ErrorOptions } from 'commander'
import { loadOnDemand, onExpand } from './expand.js'
import { UnknownCommandError, withUsage } from './find-commands.js'
import { GROUPS, SUBGROUPS, type Noun } from './nouns.js'
import { addVerbs, helpOfGroup } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { VARIABLES } from '../ground/environment.js'
import { FORMATS, formatOf } from '../ground/output/documents.js'
import type { Output } from '../ground/output/output.js'
import { UsageError } from '../ground/usage-error.js'
import { version } from '../ground/version.js'

const EPILOGUE = `
Every setting can also come from the environment; flags take precedence. Use the environment for secrets: other users of
this machine can see arguments. "-" as the value of --org-token or --password reads it from standard input.

Requests go through the proxy of HTTPS_PROXY or HTTP_PROXY, except to the hosts of NO_PROXY. NODE_EXTRA_CA_CERTS names a file
of certificates that are trusted too.

Exit codes: 0 success · 1 rejected by the server · 2 invalid command · 3 server unavailable · 4 credential rejected`

const EXAMPLES = `Examples:
  bearing login --url https://bearing.example.com
  bearing devices list
  bearing locate --ap 02:00:5e:00:1b:00=-52 --ap 02:00:5e:00:1c:00=-55 --explain`

/** Ends the options of each command. */
export const GLOBAL_NOTE = 'Options of every command, such as --org and -o: "bearing help".'

const HELP = new Help()

/** Builds the command tree. */
export function buildProgram(
  cli: Cli,
  write: { readonly out: (text: string) => void; readonly err: (text: string) => void },
): Command {
  const program = new ProgramCommand('bearing')
    .description('Organizations, projects, credentials and locations of a Bearing gateway')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .exitOverride()
    .configureOutput({
      writeOut: write.out,
      writeErr: write.err,
      outputError: () => undefined, // errors are printed in one place, in `run`
      getOutHasColors: () => cli.output.stdoutHasColor,
      getErrHasColors: () => false,
    })
    .configureHelp({
      formatHelp: (command, helper) => {
        const text = HELP.formatHelp.call(helper, command, helper)
        return command.parent ? text : asRootHelp(text)
      },
      subcommandTerm: (command) => {
        const usage = usages.get(command)
        return usage === undefined ? HELP.subcommandTerm(command) : `${command.name()} ${usage}`
      },
      optionDescription: (option) =>
        `${HELP.optionDescription(option)}${option.mandatory ? ' (required)' : ''}`,
      styleTitle: (title) => `\u001b[1m${title}\u001b[0m`, // commander removes it if there are no colors
    })
    .addHelpText('after', EPILOGUE)
  for (const option of globalOptions()) program.addOption(option)
  program.on('option:project', (slug: string) => cli.projectFlags.push(slug))
  addNouns(program, cli)
  program.addHelpCommand(
    new Command('help')
      .argument('[command]')
      .description('show the help of a command')
      .helpOption(false)
      .helpGroup('Other:'),
  )
  return loadOnDemand(program).hook('preAction', async (_, command) => {
    checkFormat(program, command)
    await readFilter(program, command, cli.output)
  })
}

const usages = new WeakMap<Command, string>()

/** Adds the commands of the program, which load their files when they are called. */
function addNouns(program: Command, cli: Cli): void {
  for (const [title, nouns] of Object.entries(GROUPS))
    for (const [name, noun] of Object.entries(nouns)) addNoun(program, [name], noun, cli).helpGroup(title)
}

function addNoun(parent: Command, path: readonly string[], noun: Noun, cli: Cli): Command {
  const added = parent.command(path.at(-1) ?? '', { hidden: noun.hidden ?? false }).description(noun.about)
  if (noun.usage !== undefined) usages.set(added, noun.usage)
  let isDone = false
  onExpand(added, async () => {
    if (isDone) return
    isDone = true
    for (const load of noun.load ?? []) await load()
    addVerbs(added, path, cli)
    const subgroups = Object.entries(SUBGROUPS).map(([words, group]) => [words.split(' '), group] as const)
    for (const [words, group] of subgroups)
      if (words.length === path.length + 1 && path.every((word, index) => word === words[index]))
        addNoun(added, words, group, cli)
    const help = helpOfGroup(path.join(' '))
    if (help !== undefined) added.addHelpText('after', help)
  })
  return loadOnDemand(added)
}

/** Puts the examples before the commands, and the options behind them. */
function asRootHelp(text: string): string {
  const [usage = '', description = '', ...sections] = text.trimEnd().split('\n\n')
  const isOptions = (section: string) => /^(?:\u001b\[1m)?Options:/.test(section)
  const options = sections.filter(isOptions)
  const commands = sections.filter((section) => !isOptions(section))
  return `${[usage, description, EXAMPLES, ...commands, ...options].join('\n\n')}\n`
}

/**
 * Checks the format of results. `-o` has always named the file of a download, and still does if that is no format.
 *
 * @throws UsageError if there is no such format
 */
function checkFormat(program: Command, command: Command): void {
  const { outputFormat: given } = program.opts<{ outputFormat?: string }>()
  if (given === undefined || formatOf(given)) return
  if (!command.options.some(({ long }) => long === '--output'))
    throw new UsageError(`-o must be one of ${FORMATS.join(', ')}.`)
  command.setOptionValue('output', given)
}

/** @throws UsageError if the filter is invalid, or the results are not JSON */
async function readFilter(program: Command, command: Command, output: Output): Promise<void> {
  const { jq } = program.opts<{ jq?: string }>()
  if (jq === undefined) return
  if (output.format !== 'json' && output.format !== 'ndjson')
    throw new UsageError('--jq filters JSON.', 'Leave out -o, or use -o ndjson: then it filters each item.')
  if (command.options.some(({ long }) => long === '--output'))
    throw new UsageError('--jq filters results, and this command writes a file.')
  // Loaded on demand, because few commands filter.
  const { jqFilter } = await import('../ground/output/jq-filter.js')
  output.filter = await jqFilter(jq)
}

function globalOptions(): Option[] {
  const option = (flags: string, variable: keyof typeof VARIABLES, description: string) =>
    new Option(flags, `${description} [${VARIABLES[variable]}]`)
  return [
    option('--org-token <token>', 'orgToken', 'organization auth token; "-" reads it from standard input'),
    option('--email <address>', 'email', 'email address of a user'),
    option(
      '--password <key>',
      'password',
      'user API key, or account password; "-" reads it from standard input',
    ),
    option('--project-key <key>', 'projectKey', 'project key, which devices send'),
    option('--context <context>', 'context', 'context to use before the environment; see "bearing context"'),
    option('--org <slug>', 'org', 'organization to act on'),
    option('-p, --project <slug>', 'project', 'project to act on'),
    option('--url <address>', 'url', 'URL of the gateway (default: http://localhost:8080)'),
    option('--location-url <address>', 'locationUrl', 'URL of the location service (default: the gateway)'),
    new Option('-o, --output-format <format>', 'format of results; all but tables print errors as JSON')
      .choices(FORMATS)
      // Checked later: in commands that write a file, -o may also name it.
      .argParser((text) => text),
    option('--json', 'json', 'the same as -o json'),
    new Option(
      '--jq <filter>',
      'print what a jq filter makes of the results: texts as they are, all else as JSON; implies --json',
    ),
    option('-v, --verbose', 'verbose', 'print every request, without secrets'),
    new Option('--wide', 'show all columns of tables, wider than the terminal too'),
    new Option('--no-color', 'no colors [NO_COLOR]'),
  ]
}

/** Returns the writers for commander's help. */
export function writersOf(output: Output): { out: (text: string) => void; err: (text: string) => void } {
  return {
    out: (text) => {
      output.print(text.replace(/\n$/, ''))
    },
    err: (text) => {
      output.say(text.replace(/\n$/, ''))
    },
  }
}

/** Reports a misspelled option before the required one that is missing because of it, and where a command is that another group has. */
class ProgramCommand extends Command {
  override createCommand(name?: string): ProgramCommand {
    const command = new ProgramCommand(name)
    command.addHelpText('after', `\n${GLOBAL_NOTE}`)
    return command
  }

  override error(message: string, options?: ErrorOptions): never {
    if (options?.code === 'commander.unknownCommand') throw new UnknownCommandError(message, this)
    if (options?.code === 'commander.missingArgument') return super.error(withUsage(message, this), options)
    const isMissing = options?.code === 'commander.missingMandatoryOptionValue'
    // Options that were not recognized are left among the arguments; "-" is standard input.
    const unknown = isMissing ? this.args.find((argument) => /^-./.test(argument)) : undefined
    if (unknown !== undefined) (this as unknown as Reporter).unknownOption(unknown)
    return super.error(message, options)
  }
}

/** Commander's own message, which suggests a similar name. Its types leave it out. */
interface Reporter {
  unknownOption(flag: string): never
}
