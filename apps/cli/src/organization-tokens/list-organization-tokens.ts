import type { CallOutput } from '@bearing/client/call-types'
import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { findUserId } from '../members/find-user-id.js'
import { moment } from '../output/format.js'
import { readSpan } from '../span.js'

interface Filters {
  readonly state?: 'active' | 'expired' | 'deleted'
  readonly unused?: string
  readonly creator?: string
  readonly name?: string
}

export function addListOrganizationTokens(tokens: Command, cli: Cli): void {
  addLimit(tokens.command('list'))
    .description('list the tokens of an organization, including expired and deleted ones')
    .addOption(new Option('--state <state>', 'only these').choices(['active', 'expired', 'deleted']))
    .option('--unused <span>', 'only tokens without a use for this long: 12h, 30d or 8w')
    .option('--creator <user>', 'only tokens of this user: email address or user id')
    .option('--name <text>', 'only tokens whose description contains this text')
    .action(async ({ state, unused, creator, name, limit }: LimitFlag & Filters) => {
      const session = await cli.session()
      const { client, organization } = session
      const found = await client.listAll(
        'listOrganizationTokens',
        {
          organization,
          ...(state && { state }),
          ...(unused !== undefined && {
            unused_since: new Date(cli.terminal.now() - readSpan(unused, '--unused')).toISOString(),
          }),
          ...(creator !== undefined && { creator: await findUserId(session, creator) }),
          ...(name !== undefined && { q: name }),
        },
        { limit },
      )
      const isFiltered = [state, unused, creator, name].some((filter) => filter !== undefined)
      cli.output.table(
        found,
        [
          ['Id', ({ id }) => id],
          ['Description', ({ description }) => description],
          ['State', stateOf],
          ['Expires', ({ expires_at }) => moment(expires_at)],
          ['Last used', ({ last_used }) => moment(last_used?.at ?? null)],
          ['From', ({ last_used }) => last_used?.address ?? ''],
          ['Created', ({ created_at }) => moment(created_at)],
          ['Permissions', ({ permissions }) => String(permissions.length), 'right'],
          ['Projects', ({ project_ids }) => (project_ids ? String(project_ids.length) : 'all'), 'right'],
        ],
        isFiltered
          ? 'No token matches. Give fewer filters.'
          : 'No tokens yet. Create one: bearing org-tokens create --description <text>',
      )
    })
}

/** Returns the printed state of a token. */
function stateOf({ state, replaced_by, leaked_at }: CallOutput<'deleteOrganizationToken'>): string {
  if (leaked_at !== null) return state === 'active' ? 'leaked!' : 'leaked'
  return replaced_by !== null && state === 'active' ? 'in grace' : state
}

/**
 * Returns the printed fields of a token.
 *
 * @param projects names of the projects it is bound to
 */
export function tokenFields(
  token: CallOutput<'deleteOrganizationToken'>,
  projects: readonly string[] = token.project_ids ?? [],
): Record<string, string | undefined> {
  return {
    Id: token.id,
    Description: token.description,
    Permissions: token.permissions.join(', '),
    Projects: token.project_ids ? projects.join(', ') : 'all',
    Expires: moment(token.expires_at),
    State: stateOf(token),
    'Usable from': token.allowed_addresses.length === 0 ? undefined : token.allowed_addresses.join(', '),
    Replaces: token.replaces ?? undefined,
  }
}
