import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addBootstrapAdmin } from './bootstrap-admin.js'
import { addCreateOrganizationFor } from './create-organization.js'
import { addDeadLetters } from './dead-letters.js'
import { addDeletions } from './deletions.js'
import { addDeleteUser } from './delete-user.js'
import { addRunDoctor } from './doctor/run-doctor.js'
import { addEraseBaseLayer } from './erase-base-layer.js'
import { addPartnerConnections } from './partner-connections.js'
import { addRebuildLayer } from './rebuild-layer.js'
import { addReleaseSsoRule } from './release-sso-rule.js'
import { addResetSecondFactor } from './reset-second-factor.js'
import { addRotatePeppers } from './rotate-peppers.js'
import { addRotateSigningKeys } from './rotate-signing-keys.js'

export function addAdmin(program: Command, cli: Cli): void {
  const group = program.command('admin').description('operations for operators, over NATS')
  addBootstrapAdmin(group, cli)
  addCreateOrganizationFor(group, cli)
  addResetSecondFactor(group, cli)
  addReleaseSsoRule(group, cli)
  addRebuildLayer(group, cli)
  addPartnerConnections(group, cli)
  addRotateSigningKeys(group, cli)
  addRotatePeppers(group, cli)
  addDeleteUser(group, cli)
  addDeadLetters(group, cli)
  addDeletions(group, cli)
  addEraseBaseLayer(group, cli)
  addRunDoctor(group, cli)
}
