import { createInterface } from 'node:readline'
import type { BearingClient } from '@bearing/client/client'
import type { ClientOptions } from '@bearing/client/client-options'
import type { Command } from 'commander'
import type { Profile } from './profile.js'
import { readSecrets, type Stdin } from './read-secret.js'
import type { Environment } from '../ground/environment.js'
import type { GlobalFlags } from '../ground/flags.js'
import type { Output } from '../ground/output/output.js'
import type { Secrets } from '../ground/output/secrets.js'
import type { Session } from './session.js'
import { UsageError } from '../ground/usage-error.js'

/** Exit codes. */
export const EXIT = {
  ok: 0,
  refused: 1,
  usage: 2,
  unreachable: 3,
  unauthenticated: 4,
  interrupted: 130,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** The environment of the command line. */
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

/** The context of every command. */
export class Cli {
  /** Of a completed command: not 0 if a part of it failed. */
  exitCode: ExitCode = EXIT.ok
  /** The session, once a command has opened it. */
  opened: Session | undefined
  /** Each `--project` in order; most commands use the last one. */
  readonly projectFlags: string[] = []
  private stdinUser: string | undefined
  private knownProfile: Profile | undefined

  constructor(
    readonly terminal: Terminal,
    readonly output: Output,
    readonly secrets: Secrets,
    private readonly programOf: () => Command,
  ) {}

  /**
   * Opens the session with the gateway.
   *
   * @throws UsageError if flags and environment do not contain exactly one credential
   */
  async session(): Promise<Session> {
    const { flags } = this
    for (const setting of ['orgToken', 'password'] as const)
      if (flags[setting] === '-') this.takeStdin('the credential')
    this.opened ??= await (
      await import('./session.js')
    ).openSession({
      flags,
      environment: this.terminal.environment,
      stdin: this.terminal.stdin,
      output: this.output,
      secrets: this.secrets,
      signal: this.terminal.signal,
      profile: await this.profile(),
      prove: (client) => this.confirmSession(client),
    })
    return this.opened
  }

  /** Asks for the account password, and a code if there is a second factor, and confirms the session with them. In scripts, asks nobody. */
  private async confirmSession(client: BearingClient): Promise<boolean> {
    if (!this.terminal.stdin.isTTY) return false
    const user = await client.call('whoAmI', {})
    if (user.kind !== 'user' || user.sso) return false
    this.output.say('This outlives the session of the command line. Confirm that it is you.')
    const names = ['the account password', ...(user.second_factor ? ['the code'] : [])]
    const [password = '', code] = await this.askSecrets(names, 'known')
    await client.call('confirmSession', { password, ...(code !== undefined && asCode(code)) })
    return true
  }

  /** Returns a client for public operations, which sends no credential. */
  async anonymous(): Promise<BearingClient> {
    const { openClient } = await import('./session.js')
    const { flags, output, terminal } = this
    return openClient({ flags, output, signal: terminal.signal, profile: await this.profile() })
  }

  /** Returns a client of a gateway, whatever the settings say. */
  async clientOf(
    url: string,
    locationUrl: string | undefined,
    credential?: ClientOptions['credential'],
  ): Promise<BearingClient> {
    const { newClient } = await import('./session.js')
    const { output, terminal } = this
    return newClient({ output, signal: terminal.signal }, { url, locationUrl, credential })
  }

  /** The commands. */
  get program(): Command {
    return this.programOf()
  }

  /** The global flags. */
  get flags(): GlobalFlags {
    return this.program.opts<GlobalFlags>()
  }

  /** Returns a setting from its flag or from the environment. */
  setting(name: keyof GlobalFlags): string | undefined {
    return this.flags[name] ?? this.terminal.environment.settings[name]
  }

  /**
   * Returns the context and the `.bearing.toml` that apply.
   *
   * @throws UsageError if one of them cannot be used
   */
  async profile(): Promise<Profile> {
    const { readProfile } = await import('./profile.js')
    this.knownProfile ??= readProfile(this.flags, this.terminal.environment)
    return this.knownProfile
  }

  /** Returns whether flags, the environment or the context contain a credential. */
  async hasCredential(): Promise<boolean> {
    const { isCredentialGiven } = await import('./select-credential.js')
    const { context, settings } = await this.profile()
    if (isCredentialGiven(this.flags) || isCredentialGiven(settings)) return true
    const { storedLogin } = await import('./credential-store.js')
    return (await storedLogin(context, this.terminal.environment.configFolder)) !== undefined
  }

  /**
   * Prompts for secrets, or reads them from the lines of standard input. They are never printed.
   *
   * @param names their names in prompts
   * @param chosen whether the last one is new: on a terminal it is typed twice
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
      throw new UsageError('The passwords differ. Run the command again.')
    return secrets.slice(0, names.length)
  }

  /** Prompts for one secret, or reads it from the first line of standard input. It is never an argument. */
  async askSecret(name: string): Promise<string> {
    const [secret = ''] = await this.askSecrets([name], 'known')
    return secret
  }

  /**
   * Asks for confirmation on a terminal. Without one, scripts continue.
   *
   * @throws UsageError if the answer is not yes
   */
  async confirm(question: string): Promise<void> {
    if (!this.terminal.stdin.isTTY) return
    if (!/^y(?:es)?$/i.test(await this.ask(`${question} [y/N] `)))
      throw new UsageError('Not confirmed. Nothing was changed.', '--yes confirms in advance.')
  }

  /** Asks on a terminal. @returns the line that was typed, without spaces around it; empty at the end of the input */
  async ask(question: string): Promise<string> {
    const stdin = this.takeStdin('the confirmation')
    this.output.prompt(question)
    const lines = createInterface({ input: stdin, terminal: false })
    const { value = '' } = (await lines[Symbol.asyncIterator]().next()) as { value?: string } // undefined at the end
    lines.close()
    return value.trim()
  }

  /**
   * Returns standard input. Only one reader may use it, unless it is a terminal.
   *
   * @param what the reader, for the error message
   */
  takeStdin(what: string): Stdin {
    const isTaken = this.stdinUser !== undefined && this.stdinUser !== what
    // A terminal can be asked again.
    if (isTaken && !this.terminal.stdin.isTTY)
      throw new UsageError(
        `Standard input can be read only once: ${this.stdinUser ?? ''} and ${what} cannot both come from it. Give one of them in another way.`,
      )
    this.stdinUser = what
    return this.terminal.stdin
  }
}

/** Converts a code for the API: six digits are from an authenticator, anything else is a recovery code. */
export function asCode(code: string): { totp_code: string } | { recovery_code: string } {
  return /^\s*\d{3} ?\d{3}\s*$/.test(code) ? { totp_code: code } : { recovery_code: code }
}
