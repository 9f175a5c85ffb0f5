import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { retryForSecret } from '../retry-transient.js'
import { idFrom } from '../id-argument.js'
import { addReplaceOptions, graceOf, type ReplaceFlags } from '../grace.js'
import { moment } from '../output/format.js'
import { sanitize } from '../output/sanitize.js'
import { projectNames } from '../projects/find-project-ids.js'
import { boundProjects, refuseUnbound } from './bound-projects.js'
import { tokenFields } from './list-organization-tokens.js'

export function addRotateOrganizationToken(tokens: Command, cli: Cli): void {
  addReplaceOptions(tokens.command('rotate'))
    .description(
      'replace a token; the old one works for one more day; with --project, repeatable, the new one has access only to these projects',
    )
    .argument('<id>', 'id of the token, from "bearing org-tokens list"', idFrom('bearing org-tokens list'))
    .action(async (id: string, flags: ReplaceFlags) => {
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
    })
}

function lastUse({ last_used }: CallOutput<'deleteOrganizationToken'>): string {
  if (!last_used) return 'not used'
  const agent = last_used.user_agent === null ? '' : ` by ${last_used.user_agent}`
  return `last used ${moment(last_used.at)} from ${last_used.address}${agent}`
}
