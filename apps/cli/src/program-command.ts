import { Command, type ErrorOptions } from 'commander'

/** A command that reports a misspelled option before the required one that is missing because of it. */
export class ProgramCommand extends Command {
  override createCommand(name?: string): ProgramCommand {
    return new ProgramCommand(name)
  }

  override error(message: string, options?: ErrorOptions): never {
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
