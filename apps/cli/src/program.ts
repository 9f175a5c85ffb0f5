import { Command, Option } from 'commander'
import { addDeleteAccount } from './account/delete-account.js'
import { addSignOns } from './account/sign-ons.js'
import { addBootstrapAdmin } from './admin/bootstrap-admin.js'
import { addRotatePeppers } from './admin/rotate-peppers.js'
import { addRotateSigningKeys } from './admin/rotate-signing-keys.js'
import { addDeleteUser } from './admin/delete-user.js'
import { addForgetShared } from './admin/forget-shared.js'
import { addRunDoctor } from './admin/doctor/run-doctor.js'
import { addExportAuditEntries } from './audit-log/export-audit-entries.js'
import { addListAuditEntries } from './audit-log/list-audit-entries.js'
import { addVerifyAuditEntries } from './audit-log/verify-audit-entries.js'
import type { Cli } from './cli.js'
import { addPartnerConnections } from './admin/partner-connections.js'
import { addRelearnLayer } from './admin/relearn-layer.js'
import { addReleaseSsoRule } from './admin/release-sso-rule.js'
import { addSharing } from './admin/sharing.js'
import { addResetSecondFactor } from './admin/reset-second-factor.js'
import { addCompletion } from './completion/print-completion.js'
import { VARIABLES } from './environment.js'
import { addReportLeak } from './leaks/report-leak.js'
import { addDeleteLegacyToken } from './legacy-tokens/delete-legacy-token.js'
import { addImportLegacyTokens } from './legacy-tokens/import-legacy-tokens.js'
import { addListLegacyTokens } from './legacy-tokens/list-legacy-tokens.js'
import { addAcceptInvitation } from './invitations/accept-invitation.js'
import { addCreateInvitation } from './invitations/create-invitation.js'
import { addListInvitations } from './invitations/list-invitations.js'
import { addResendInvitation } from './invitations/resend-invitation.js'
import { addRevokeInvitation } from './invitations/revoke-invitation.js'
import { addLocationCommands } from './location/location-commands.js'
import { addListMembers } from './members/list-members.js'
import { addRemoveMember } from './members/remove-member.js'
import { addSetMemberRole } from './members/set-member-role.js'
import { addCreateOrganizationToken } from './organization-tokens/create-organization-token.js'
import { addDeleteOrganizationToken } from './organization-tokens/delete-organization-token.js'
import { addListOrganizationTokens } from './organization-tokens/list-organization-tokens.js'
import { addRotateOrganizationToken } from './organization-tokens/rotate-organization-token.js'
import { addSetTokenPolicy } from './organization-tokens/set-token-policy.js'
import { addShowTokenPolicy } from './organization-tokens/show-token-policy.js'
import { addCreateOrganization } from './organizations/create-organization.js'
import { addListOrganizations } from './organizations/list-organizations.js'
import type { Output } from './output/output.js'
import { addChangePassword } from './password/change-password.js'
import { addRequestPasswordReset } from './password/request-password-reset.js'
import { addResetPassword } from './password/reset-password.js'
import { addCycleProjectKey } from './project-key/cycle-project-key.js'
import { addShowProjectKey } from './project-key/show-project-key.js'
import { addListProjectMembers } from './project-members/list-project-members.js'
import { addRemoveProjectMember } from './project-members/remove-project-member.js'
import { addSetProjectMember } from './project-members/set-project-member.js'
import { addCreateProject } from './projects/create-project.js'
import { addListProjects } from './projects/list-projects.js'
import { addShowProject } from './projects/show-project.js'
import { addProjectSettings } from './projects/show-project-settings.js'
import { addCreateUserKey } from './user-key/create-user-key.js'
import { addDeleteUserKey } from './user-key/delete-user-key.js'
import { addShowUserKey } from './user-key/show-user-key.js'
import { addConfirmTotp } from './second-factor/confirm-totp.js'
import { addEnrollTotp } from './second-factor/enroll-totp.js'
import { addShowTotp } from './second-factor/show-totp.js'
import { addRemoveTotp } from './second-factor/remove-totp.js'
import { addRenewRecoveryCodes } from './second-factor/renew-recovery-codes.js'
import { addDeadLetters } from './admin/dead-letters.js'
import { addDeviceData } from './devices/add-device-data.js'
import { addEndSession } from './sessions/end-session.js'
import { addListSessions } from './sessions/list-sessions.js'
import { addSso } from './sso/add-sso.js'
import { addSetSignInPolicy } from './sign-in-policy/set-sign-in-policy.js'
import { addShowSignInPolicy } from './sign-in-policy/show-sign-in-policy.js'
import { version } from './version.js'
import { addWebhooks } from './webhooks/add-webhooks.js'
import { addWhoAmI } from './who-am-i.js'

const EPILOGUE = `
Every setting can come from the environment instead; flags win. Prefer the environment for secrets: arguments
can be seen by others on this machine. "-" as the value of --org-token or --password reads it from standard input.

Exit codes: 0 done · 1 the server refused · 2 the command is wrong · 3 the server cannot be reached`

/** The whole command tree. */
export function buildProgram(
  cli: Cli,
  write: { readonly out: (text: string) => void; readonly err: (text: string) => void },
): Command {
  const program = new Command('bearing')
    .description('Organizations, projects, credentials and locations of a Bearing gateway')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .exitOverride()
    .configureOutput({
      writeOut: write.out,
      writeErr: write.err,
      outputError: () => undefined, // errors are printed in one place, in `run`
      getOutHasColors: () => cli.output.stdoutHasColor,
      getErrHasColors: () => false,
    })
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (title) => `\u001b[1m${title}\u001b[0m`, // commander strips it where there are no colours
    })
    .addHelpText('after', EPILOGUE)
  for (const option of globalOptions()) program.addOption(option)
  program.on('option:project', (slug: string) => cli.projectFlags.push(slug))
  addCommands(program, cli)
  return program
}

function globalOptions(): Option[] {
  const option = (flags: string, variable: keyof typeof VARIABLES, description: string) =>
    new Option(flags, `${description} [${VARIABLES[variable]}]`)
  return [
    option('--org-token <token>', 'orgToken', 'organization auth token; "-" reads it from standard input'),
    option('--email <address>', 'email', 'e-mail address of a user'),
    option(
      '--password <key>',
      'password',
      'user API key, or account password; "-" reads it from standard input',
    ),
    option('--project-key <key>', 'projectKey', 'project key, as devices have it'),
    option('--org <slug>', 'org', 'organization to act on'),
    option('--project <slug>', 'project', 'project to act on'),
    option('--url <address>', 'url', 'address of the gateway, http://localhost:8080 unless given'),
    option(
      '--location-url <address>',
      'locationUrl',
      'address of the location service, that of the gateway unless given',
    ),
    option('--json', 'json', 'print one JSON document; errors as JSON on standard error'),
    option('--verbose', 'verbose', 'tell about every request, without secrets'),
    new Option('--no-color', 'no colours [NO_COLOR]'),
  ]
}

function addCommands(program: Command, cli: Cli): void {
  const organizations = program.command('organizations').description('the organizations you belong to')
  addListOrganizations(organizations, cli)
  addCreateOrganization(organizations, cli)
  const signIn = organizations.command('sign-in-policy').description('how people have to sign in')
  addShowSignInPolicy(signIn, cli)
  addSetSignInPolicy(signIn, cli)

  addPeople(program, cli)

  const projects = program.command('projects').description('the projects of an organization')
  addListProjects(projects, cli)
  addCreateProject(projects, cli)
  addShowProject(projects, cli)
  addProjectSettings(projects, cli)

  const projectMembers = program.command('project-members').description('the members of a project')
  addListProjectMembers(projectMembers, cli)
  addSetProjectMember(projectMembers, cli)
  addRemoveProjectMember(projectMembers, cli)

  const projectKey = program.command('project-key').description("a project's key, which its devices send")
  addShowProjectKey(projectKey, cli)
  addCycleProjectKey(projectKey, cli)

  addCredentials(program, cli)

  addDeviceData(program, cli)
  addWebhooks(program, cli)

  const auditLog = program.command('audit-log').description('who did what in an organization')
  addListAuditEntries(auditLog, cli)
  addExportAuditEntries(auditLog, cli)
  addVerifyAuditEntries(auditLog, cli)

  const account = program.command('account').description('your own user account')
  addDeleteAccount(account, cli)
  addSignOns(
    account.command('sign-ons').description('the identity providers that your account is linked with'),
    cli,
  )

  addSignInCommands(program, cli)

  addLocationCommands(program, cli)

  const admin = program.command('admin').description('what operators do, over NATS')
  addBootstrapAdmin(admin, cli)
  addResetSecondFactor(admin, cli)
  addReleaseSsoRule(admin, cli)
  addRelearnLayer(admin, cli)
  addSharing(admin, cli)
  addPartnerConnections(admin, cli)
  addRotateSigningKeys(admin, cli)
  addRotatePeppers(admin, cli)
  addDeleteUser(admin, cli)
  addDeadLetters(admin, cli)
  addForgetShared(admin, cli)
  addRunDoctor(admin, cli)

  addWhoAmI(program, cli)
  addCompletion(program, cli)
}

/** What programs prove who they are with. */
function addCredentials(program: Command, cli: Cli): void {
  const tokens = program.command('org-token').description('organization auth tokens, for automation')
  addListOrganizationTokens(tokens, cli)
  addCreateOrganizationToken(tokens, cli)
  addRotateOrganizationToken(tokens, cli)
  addDeleteOrganizationToken(tokens, cli)
  const policy = tokens.command('policy').description('what the organization demands of its tokens')
  addShowTokenPolicy(policy, cli)
  addSetTokenPolicy(policy, cli)

  const userKey = program.command('user-key').description('your own API key')
  addCreateUserKey(userKey, cli)
  addShowUserKey(userKey, cli)
  addDeleteUserKey(userKey, cli)

  const legacyTokens = program
    .command('legacy-tokens')
    .description('service and evaluation tokens from before organization auth tokens')
  addImportLegacyTokens(legacyTokens, cli)
  addListLegacyTokens(legacyTokens, cli)
  addDeleteLegacyToken(legacyTokens, cli)

  const leaks = program.command('leaks').description('secrets that were found where they should not be')
  addReportLeak(leaks, cli)
}

function addPeople(program: Command, cli: Cli): void {
  const members = program.command('members').description('the members of an organization')
  addListMembers(members, cli)
  addSetMemberRole(members, cli)
  addRemoveMember(members, cli)

  const invitations = program.command('invitations').description('who is invited into an organization')
  addCreateInvitation(invitations, cli)
  addListInvitations(invitations, cli)
  addResendInvitation(invitations, cli)
  addRevokeInvitation(invitations, cli)
  const invitation = program.command('invitation').description('an invitation that was mailed to you')
  addAcceptInvitation(invitation, cli)

  const password = program.command('password').description('your own password')
  addChangePassword(password, cli)
  addRequestPasswordReset(password, cli)
  addResetPassword(password, cli)
}

/** How people sign in with a browser. */
function addSignInCommands(program: Command, cli: Cli): void {
  addSso(program, cli)
  const sessions = program.command('sessions').description('the browsers in which you are signed in')
  addListSessions(sessions, cli)
  addEndSession(sessions, cli)

  const totp = program.command('totp').description('your second factor, an authenticator app')
  addShowTotp(totp, cli)
  addEnrollTotp(totp, cli)
  addConfirmTotp(totp, cli)
  addRemoveTotp(totp, cli)
  addRenewRecoveryCodes(totp, cli)
}

/** What the program's help is written to. */
export function writersOf(output: Output): { out: (text: string) => void; err: (text: string) => void } {
  return {
    out: (text) => {
      output.print(text.replace(/\n$/, ''))
    },
    err: (text) => {
      output.tell(text.replace(/\n$/, ''))
    },
  }
}
