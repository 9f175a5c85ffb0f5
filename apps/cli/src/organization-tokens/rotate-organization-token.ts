import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { graceOption, graceSeconds } from '../grace.js'
import { moment } from '../output/format.js'
import { projectNames } from '../projects/find-project-ids.js'
import { boundProjects, refuseUnbound } from './bound-projects.js'
import { tokenFields } from './list-organization-tokens.js'

/** `bearing org-token rotate` */
export function addRotateOrganizationToken(tokens: Command, cli: Cli): void {
  tokens
    .command('rotate')
    .description(
      'replace a token; without --grace the old one stops working immediately; with --project, repeatable, the new one has access only to these projects',
    )
    .argument('<id>', 'id of the token, from "bearing org-token list"')
    .addOption(graceOption())
    .action(async (id: string, { grace }: { grace?: string }) => {
      const grace_seconds = graceSeconds(grace)
      const session = await cli.session()
      const { client, organization } = session
      const project_ids = await boundProjects(session, cli.projectFlags)
      const rotated = await client.call('rotateOrganizationToken', {
        organization,
        organization_token_id: id,
        grace_seconds,
        project_ids,
      })
      await refuseUnbound(session, project_ids, rotated)
      cli.output.done(
        `Organization token replaced. The previous one expires ${moment(rotated.replaced.expires_at)}.`,
      )
      const fields = tokenFields(rotated, await projectNames(session, rotated.project_ids ?? []))
      cli.output.record({ Token: rotated.token, ...fields }, rotated)
      cli.output.notice('The token is shown only once. Store it in a safe place.')
    })
}
