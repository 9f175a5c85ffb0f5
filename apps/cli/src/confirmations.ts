import type { Command } from 'commander'
import type { Cli } from './cli.js'

/** The flag that answers a question in advance. */
export const YES = ['-y, --yes', 'do not ask for confirmation'] as const
/** The same of commands that ask on a terminal only. */
export const YES_ON_TERMINAL = [
  '-y, --yes',
  'do not ask for confirmation; without a terminal it is not asked for',
] as const

/**
 * What is asked on a terminal before a command runs. Without a terminal it runs: scripts have always deleted with these.
 * Commands that want a name typed again call `confirmTyped` instead.
 */
const QUESTIONS: Readonly<Record<string, string>> = {
  'account sign-ons delete': 'Unlink your account? Its sessions from this provider end.',
  'admin partner-connections delete': 'Delete the connection? Its sessions end.',
  'admin rebuild': 'Rebuild the layer? What came from observations that have expired is lost.',
  'admin reset-second-factor': 'Reset the second factor? Verify first who asks for it.',
  'admin users delete': 'Delete the user? This cannot be undone.',
  'context delete': 'Delete the context? Its login ends.',
  'coredumps delete': 'Delete the coredump? This cannot be undone.',
  'files delete': 'Delete the file? This cannot be undone.',
  'invitations delete': 'Delete the invitation? Its link stops working.',
  'legacy-tokens delete': 'Delete the token? Whatever still sends it is rejected immediately.',
  'location fallback delete': 'Delete the fallback with its key?',
  'members remove': 'Remove the member? Their credentials stop working for this organization.',
  'org-tokens delete': 'Delete the token? Programs with it are rejected immediately.',
  'project-members remove': 'Remove the member from the project?',
  'sessions delete': 'Sign out?',
  'sso connections delete': 'Delete the connection? Its links and sessions end.',
  'sso domains delete': 'Delete the domain? Users with its email addresses can no longer join by sign-in.',
  'user-key delete': 'Delete your API key? It stops working immediately.',
  'webhooks delete': 'Delete the webhook with its deliveries?',
}

/** Makes destructive commands ask first, and adds `--yes` to them. */
export function addConfirmations(program: Command, cli: Cli): void {
  for (const [path, question] of Object.entries(QUESTIONS)) {
    const command = commandAt(program, path)
    command.option(...YES_ON_TERMINAL).hook('preAction', async () => {
      if (!command.opts<{ yes?: true }>().yes) await cli.confirm(question)
    })
  }
}

/** @throws Error if there is none, which every run of the command line shows */
function commandAt(program: Command, path: string): Command {
  return path.split(' ').reduce((group, word) => {
    const command = group.commands.find((candidate) => candidate.name() === word)
    if (!command) throw new Error(`there is no command "${path}"`)
    return command
  }, program)
}
