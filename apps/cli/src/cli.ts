import type { BearingClient } from '@bearing/client/client'
import type { Command } from 'commander'
import { readSecrets, type Stdin } from './credential/read-secret.js'
import type { Environment } from './environment.js'
import type { GlobalFlags } from './flags.js'
import type { Output } from './output/output.js'
import type { Secrets } from './output/secrets.js'
import { openClient, openSession, type Session } from './session.js'
import { UsageError } from './usage-error.js'

/** What the command line runs in. */
export interface Terminal {
  readonly stdin: Stdin
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly environment: Environment
  /** The time, in milliseconds since 1970. */
  readonly now: () => number
  /** Fires when the user interrupts. */
  readonly signal: AbortSignal
}

/** What every command is given. */
export class Cli {
  /** Not 0 where the command ran to its end but a part of it failed: 2 where that is the fault of what was given. */
  exitCode: 0 | 1 | 2 = 0
  /** Once a command has asked for it. */
  opened: Session | undefined
  /** Each `--project` of the command line, in order; most commands act on the last one. */
  readonly projectFlags: string[] = []
  private stdinUser: string | undefined

  constructor(
    readonly terminal: Terminal,
    readonly output: Output,
    readonly secrets: Secrets,
    private readonly program: () => Command,
  ) {}

  /**
   * What to talk to the gateway with.
   *
   * @throws UsageError where flags and environment do not give one credential
   */
  async session(): Promise<Session> {
    const flags = this.program().opts<GlobalFlags>()
    for (const setting of ['orgToken', 'password'] as const)
      if (flags[setting] === '-') this.takeStdin('the credential')
    this.opened ??= await openSession({
      flags,
      environment: this.terminal.environment,
      stdin: this.terminal.stdin,
      output: this.output,
      secrets: this.secrets,
      signal: this.terminal.signal,
    })
    return this.opened
  }

  /** What to ask the gateway with that is open to everybody: no credential is needed, and none is sent. */
  anonymous(): BearingClient {
    return openClient({
      flags: this.program().opts<GlobalFlags>(),
      environment: this.terminal.environment,
      output: this.output,
      signal: this.terminal.signal,
    })
  }

  /**
   * Asks for secrets, or reads them from the lines of standard input. They are never shown anywhere.
   *
   * @param names what they are called
   * @param chosen the last one is new: who types it unseen types it twice
   */
  async askSecrets(names: readonly string[], chosen: 'new' | 'known'): Promise<string[]> {
    const stdin = this.takeStdin(names.join(' and '))
    const last = names.at(-1) ?? ''
    const twice = chosen === 'new' && stdin.isTTY ? [`${last}, again`] : []
    const prompt = (text: string) => {
      this.output.prompt(text)
    }
    const secrets = await readSecrets({ stdin, prompt }, [...names, ...twice])
    for (const secret of secrets) this.secrets.add(secret)
    if (twice.length > 0 && secrets.at(-1) !== secrets.at(-2))
      throw new UsageError('The two passwords are not the same.')
    return secrets.slice(0, names.length)
  }

  /**
   * Standard input, which only one thing can be read from.
   *
   * @param what what it is read for, for the message
   */
  takeStdin(what: string): Stdin {
    if (this.stdinUser !== undefined && this.stdinUser !== what)
      throw new UsageError(
        `Standard input can be read once: ${this.stdinUser} and ${what} cannot both come from it.`,
      )
    this.stdinUser = what
    return this.terminal.stdin
  }
}
