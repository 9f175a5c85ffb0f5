import { CommanderError } from 'commander'
import { Cli, EXIT, type ExitCode, type Terminal } from '../session/cli.js'
import { readPresentation, secretsIn } from '../ground/flags.js'
import { Output } from '../ground/output/output.js'
import { Secrets } from '../ground/output/secrets.js'
import { expandAll } from './expand.js'
import { UnknownCommandError, withSuggestion } from './find-commands.js'
import { buildProgram, writersOf } from './program.js'

/**
 * Runs the command line.
 *
 * @param argv the arguments after the name of the program
 * @returns the exit code, after everything was printed
 */
export async function run(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { settings, noColor } = terminal.environment
  const secrets = new Secrets()
  const { orgToken, password, natsNkeySeed } = settings
  for (const secret of [orgToken, password, natsNkeySeed, ...secretsIn(argv)]) secrets.add(secret)
  for (const text of [settings.url, settings.locationUrl, settings.natsUrl, ...argv]) secrets.addUrls(text)
  const flags = readPresentation(argv, settings.json !== undefined)
  const output = new Output(terminal.stdout, terminal.stderr, secrets, {
    format: flags.format,
    verbose: flags.verbose || settings.verbose !== undefined,
    noColor: flags.noColor || noColor,
    wide: flags.wide === true,
  })
  const cli = new Cli(terminal, output, secrets, () => program)
  const program = buildProgram(cli, writersOf(output))
  try {
    await program.parseAsync(withHelpFlag(argv), { from: 'user' })
    return cli.exitCode
  } catch (error) {
    if (terminal.signal.aborted) {
      output.say('Interrupted.')
      return EXIT.interrupted
    }
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok
    // Help was printed because a command is missing.
    if (error instanceof CommanderError && error.code === 'commander.help') return EXIT.usage
    if (error instanceof UnknownCommandError) {
      await expandAll(program)
      error.message = withSuggestion(error)
    }
    // Loaded on demand, because most commands succeed.
    const { printError, reportOf } = await import('../session/error-report.js')
    const report = reportOf(error, cli.opened)
    printError(output, report)
    return report.exit_code
  }
}

/** `help devices tail` is `devices tail --help`: commander's own help command takes one name, and loads no files. */
function withHelpFlag(argv: readonly string[]): readonly string[] {
  const [first, ...path] = argv
  return first === 'help' && path.length > 0 ? [...path, '--help'] : argv
}
