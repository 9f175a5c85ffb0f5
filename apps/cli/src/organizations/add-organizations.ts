import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addOrganizationDeletion } from '../deletion/organization-deletion.js'
import { addSetSignInPolicy } from '../sign-in-policy/set-sign-in-policy.js'
import { addShowSignInPolicy } from '../sign-in-policy/show-sign-in-policy.js'
import { addCreateOrganization } from './create-organization.js'
import { addExportOrganization } from './export/export-organization.js'
import { addListOrganizations } from './list-organizations.js'
import { addRenameOrganization } from './rename-organization.js'
import { addShowOrganization } from './show-organization.js'
import { addOrganizationUsage } from './show-organization-usage.js'

export function addOrganizations(program: Command, cli: Cli): void {
  const group = program.command('organizations').description('the organizations you belong to')
  addListOrganizations(group, cli)
  addCreateOrganization(group, cli)
  addShowOrganization(group, cli)
  addRenameOrganization(group, cli)
  addOrganizationDeletion(group, cli)
  addOrganizationUsage(group, cli)
  addExportOrganization(group, cli)
  const policy = group.command('sign-in-policy').description('how members of an organization sign in')
  addShowSignInPolicy(policy, cli)
  addSetSignInPolicy(policy, cli)
}
