import type { CallOutput } from '@bearing/client/call-types'
import { presetOf } from '@bearing/contracts/identity/tokens/token-presets'
import { ID, verb } from '../session/verb.js'
import { boundProjects, refuseUnbound } from './bound-projects.js'
import { LIMIT, idOf, oneOf } from '../ground/arguments.js'
import { findUserId } from './members.js'
import { moment } from '../ground/output/format.js'
import { readSpan, replaceFlags, graceOf } from '../ground/times.js'
import { retryForSecret } from '@bearing/client/retry-transient'
import { sanitize } from '../ground/output/sanitize.js'
import { projectNames } from './projects.js'

verb('org-tokens list', {
  about: 'list the tokens of an organization, including expired and deleted ones',
  takes: {
    ...LIMIT,
    '--state <state>': oneOf('only these', ['active', 'expired', 'deleted']),
    '--unused <span>': 'only tokens without a use for this long: 12h, 30d or 8w',
    '--creator <user>': 'only tokens of this user: email address or user id',
    '--name <text>': 'only tokens whose description contains this text',
    '--derived-from <id>': 'only tokens that come from this one',
  },
  examples: ['--unused 30d'],
  run: async (cli, { state, unused, creator, name, derivedFrom, limit }) => {
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
        ...(derivedFrom !== undefined && { derived_from: derivedFrom }),
      },
      { limit },
    )
    const isFiltered = [state, unused, creator, name, derivedFrom].some((filter) => filter !== undefined)
    cli.output.table(
      found,
      {
        Id: 'id',
        Description: 'description',
        State: stateOf,
        Expires: 'expires_at',
        'Last used': ({ last_used }) => moment(last_used?.at ?? null),
        From: ({ last_used }) => last_used?.address ?? '',
        Created: 'created_at',
        Permissions: ({ permissions }) => presetOf(permissions) ?? String(permissions.length),
        Administers: ({ administers }) => (administers ? 'yes' : ''),
        Projects: { right: ({ project_ids }) => (project_ids ? String(project_ids.length) : 'all') },
      },
      isFiltered
        ? 'No token matches. Give fewer filters.'
        : 'No tokens yet. Create one: bearing org-tokens create --description <text>',
    )
  },
})

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
    Administers: token.administers ? 'yes' : undefined,
    Projects: token.project_ids ? projects.join(', ') : 'all',
    'SCIM connection': token.scim_connection_id ?? undefined,
    Expires: moment(token.expires_at),
    State: stateOf(token),
    'Usable from': token.allowed_addresses.length === 0 ? undefined : token.allowed_addresses.join(', '),
    Replaces: token.replaces ?? undefined,
    'Derived from': token.derived_from ?? undefined,
  }
}

verb('org-tokens rotate', {
  about:
    'replace a token; the old one works for one more day; with --project, repeatable, the new one has access only to these projects',
  takes: {
    ...replaceFlags(),
    '<id>': idOf('id of the token, from "bearing org-tokens list"', 'bearing org-tokens list'),
  },
  examples: [`${ID} --grace 2d`],
  run: async (cli, { id, ...flags }) => {
    const grace = graceOf(flags)
    const session = await cli.session()
    const { client, organization } = session
    const project_ids = await boundProjects(session, cli.projectFlags)
    const tokens = await client.listAll('listOrganizationTokens', { organization })
    const before = tokens.find((token) => token.id === id)
    if (before) cli.output.say(sanitize(`The old token "${before.description}": ${lastUse(before)}.`))
    if (before && !flags.yes)
      await cli.confirm(
        grace.seconds === 0
          ? 'Replace the token? Programs with the old token are rejected immediately.'
          : `Replace the token? Programs with the old token are rejected after ${grace.text}.`,
      )
    const rotated = await retryForSecret(cli.terminal.signal, client, 'rotateOrganizationToken', {
      organization,
      organization_token_id: id,
      grace_seconds: grace.seconds,
      project_ids,
    })
    await refuseUnbound(session, project_ids, rotated)
    cli.output.done(
      `Organization token replaced. The previous one expires ${moment(rotated.replaced.expires_at)}.`,
    )
    const fields = tokenFields(rotated, await projectNames(session, rotated.project_ids ?? []))
    cli.output.record({ Token: rotated.token, ...fields }, rotated)
    cli.output.notice('The token is shown only once. Store it in a safe place.')
    if (grace.seconds > 0)
      cli.output.say(
        `Watch whether the old token is still used: bearing org-tokens list\nEnd its grace period early: bearing org-tokens delete ${id}`,
      )
  },
})

function lastUse({ last_used }: CallOutput<'deleteOrganizationToken'>): string {
  if (!last_used) return 'not used'
  const agent = last_used.user_agent === null ? '' : ` by ${last_used.user_agent}`
  return `last used ${moment(last_used.at)} from ${last_used.address}${agent}`
}

verb('org-tokens delete', {
  about: 'delete a token; it stops working immediately',
  takes: { '<id>': idOf('id of the token, from "bearing org-tokens list"', 'bearing org-tokens list') },
  examples: [ID],
  question: 'Delete the token? Programs with it are rejected immediately.',
  run: async (cli, { id }) => {
    const { client, organization } = await cli.session()
    const input = { organization, organization_token_id: id }
    const deleted = await client.call('deleteOrganizationToken', input)
    cli.output.done('Organization token deleted.')
    cli.output.say(
      `Webhooks and devices that it created remain: "bearing audit-log list --actor ${deleted.id}" lists them.`,
    )
    cli.output.record(tokenFields(deleted), deleted)
  },
})
