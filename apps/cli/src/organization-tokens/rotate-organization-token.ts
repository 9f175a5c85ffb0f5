import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { graceOption, graceSeconds } from '../grace.js'
import { moment } from '../output/format.js'
import { tokenFields } from './list-organization-tokens.js'

/** `bearing org-token rotate` */
export function addRotateOrganizationToken(tokens: Command, cli: Cli): void {
  tokens
    .command('rotate')
    .description('replace a token by a new one; without a grace the one before is refused at once')
    .argument('<id>', 'its id, from "bearing org-token list"')
    .addOption(graceOption())
    .action(async (id: string, { grace }: { grace?: string }) => {
      const grace_seconds = graceSeconds(grace)
      const { client, organization } = await cli.session()
      const rotated = await client.call('rotateOrganizationToken', {
        organization,
        organization_token_id: id,
        grace_seconds,
      })
      cli.output.done(
        `Organization token replaced. The one before ends ${moment(rotated.replaced.expires_at)}.`,
      )
      cli.output.record({ Token: rotated.token, ...tokenFields(rotated) }, rotated)
      cli.output.notice('The token is shown this once and never again. Store it where secrets belong.')
    })
}
