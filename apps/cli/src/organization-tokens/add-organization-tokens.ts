import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addCreateOrganizationToken } from './create-organization-token.js'
import { addDeleteOrganizationToken } from './delete-organization-token.js'
import { addListOrganizationTokens } from './list-organization-tokens.js'
import { addRotateOrganizationToken } from './rotate-organization-token.js'
import { addSetTokenPolicy } from './set-token-policy.js'
import { addShowTokenPolicy } from './show-token-policy.js'

export function addOrganizationTokens(program: Command, cli: Cli): void {
  const group = program.command('org-tokens').description('organization auth tokens, for automation')
  addListOrganizationTokens(group, cli)
  addCreateOrganizationToken(group, cli)
  addRotateOrganizationToken(group, cli)
  addDeleteOrganizationToken(group, cli)
  const policy = group.command('policy').description("the organization's policy for its tokens")
  addShowTokenPolicy(policy, cli)
  addSetTokenPolicy(policy, cli)
}
