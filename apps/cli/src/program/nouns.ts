/** A command, or a group of commands, before the files are loaded that declare it. */
export interface Noun {
  readonly about: string
  /** Load the files that declare its commands, in the order of its help. Missing: the group above has loaded them. */
  readonly load?: readonly (() => Promise<unknown>)[]
  /** Options and arguments of a command, for the help of the program; a group has none. */
  readonly usage?: string
  /** For programs: in no help. */
  readonly hidden?: true
}

const command = (usage: string, about: string, load: Noun['load']): Noun => ({
  about,
  usage,
  ...(load && { load }),
})
const group = (about: string, load?: Noun['load']): Noun => ({ about, ...(load && { load }) })

/** The commands of the program by the titles in its help. */
export const GROUPS: Readonly<Record<string, Readonly<Record<string, Noun>>>> = {
  'Start here:': {
    login: command('[options]', 'sign in with the browser', [() => import('../account/login.js')]),
    logout: command('[options]', 'sign out: end the session of the context, and delete its token', [
      () => import('../account/login-status.js'),
    ]),
    auth: group('show how you are signed in', [() => import('../account/login-status.js')]),
    context: group('choose between gateways and organizations', [() => import('../account/contexts.js')]),
    projects: group('the projects of an organization', [
      () => import('../tenancy/projects.js'),
      () => import('../tenancy/project-deletion.js'),
      () => import('../tenancy/project-settings.js'),
    ]),
    whoami: command('[options]', 'show the owner of the credential, and its access', [
      () => import('../account/who-am-i.js'),
    ]),
  },
  'Devices:': {
    devices: group('the devices of a project', [
      () => import('../devices/devices.js'),
      () => import('../devices/tail-devices.js'),
      () => import('../devices/device-identity.js'),
      () => import('../devices/import-devices.js'),
      () => import('../devices/delete-devices.js'),
    ]),
    chunks: group('chunks of devices', [() => import('../devices/chunks.js')]),
    data: group('what all devices of a project send', [() => import('../devices/data.js')]),
    coredumps: group('the coredumps of a project', [
      () => import('../devices/uploads/upload-coredumps.js'),
      () => import('../devices/files.js'),
    ]),
    files: group('the files of a project: coredumps, symbols and others', [
      () => import('../devices/files.js'),
    ]),
    symbols: group('symbols for reading coredumps', [() => import('../devices/uploads/upload-symbols.js')]),
    webhooks: group('URLs that receive the events of a project', [
      () => import('../webhooks/webhooks.js'),
      () => import('../webhooks/list-deliveries.js'),
      () => import('../webhooks/listen-webhooks.js'),
    ]),
  },
  'Location:': {
    locate: command('[options] [file]', 'turn Wi-Fi scans and radio cells into positions', [
      () => import('../location/locate/locate.js'),
    ]),
    positions: group('stored positions of the devices of a project', [
      () => import('../location/latest-positions.js'),
      () => import('../location/device-positions.js'),
    ]),
    'access-points': group('Wi-Fi access points for location', [
      () => import('../location/access-points/import-access-points.js'),
      () => import('../location/access-points/list-access-points.js'),
      () => import('../location/access-points/export-access-points.js'),
      () => import('../location/access-points/show-statistics.js'),
      () => import('../location/access-points/erase-access-points.js'),
    ]),
    cells: group('radio cells for location', [
      () => import('../location/cells/import-cells.js'),
      () => import('../location/cells/export-cells.js'),
      () => import('../location/cells/erase-cells.js'),
    ]),
    observations: group('scans with known positions', [
      () => import('../location/observations/submit-observations.js'),
      () => import('../location/observations/export-observations.js'),
    ]),
    location: group('settings and quality of location', [() => import('../location/evaluate-scans.js')]),
  },
  'Credentials:': {
    'project-key': group('the project key, which devices send', [() => import('../tenancy/project-key.js')]),
    'device-cas': group('certificate authorities of devices', [() => import('../devices/device-cas.js')]),
    'onboarding-tokens': group('tokens with which devices register their keys', [
      () => import('../devices/onboarding-tokens.js'),
    ]),
    'org-tokens': group('organization auth tokens, for automation', [
      () => import('../tenancy/organization-tokens.js'),
      () => import('../tenancy/create-organization-token.js'),
      () => import('../tenancy/derive-organization-token.js'),
    ]),
    'user-key': group('your API key', [() => import('../account/user-key.js')]),
    'legacy-tokens': group('service and evaluation tokens from before organization auth tokens', [
      () => import('../tenancy/legacy-tokens.js'),
    ]),
    trusts: group('trusts in workloads, which need no stored secret', [
      () => import('../tenancy/workload-trusts.js'),
    ]),
    leaks: group('leaked secrets', [() => import('../tenancy/leaks.js')]),
  },
  'Organization:': {
    organizations: group('the organizations you belong to', [
      () => import('../tenancy/organizations.js'),
      () => import('../tenancy/organization-deletion.js'),
      () => import('../tenancy/organization-usage.js'),
      () => import('../tenancy/export/export-organization.js'),
    ]),
    usage: command(
      '[options]',
      'show devices, look-ups and data of a project (--project) or an organization, over time',
      [() => import('../tenancy/usage.js')],
    ),
    import: group('move in from another service', [() => import('../tenancy/move/import-hosted-service.js')]),
    members: group('the members of an organization', [() => import('../tenancy/members.js')]),
    invitations: group('the invitations of an organization, and those that you received', [
      () => import('../tenancy/invitations.js'),
    ]),
    'project-members': group('the members of a project', [() => import('../tenancy/project-members.js')]),
    sso: group('single sign-on of an organization'),
    'audit-log': group('the audit log of an organization', [
      () => import('../audit/audit-log.js'),
      () => import('../audit/checkpoints.js'),
      () => import('../audit/verify-audit-entries.js'),
    ]),
  },
  'Your account:': {
    account: group('your user account', [() => import('../account/account.js')]),
    email: group('your email address', [() => import('../account/email.js')]),
    password: group('your password', [() => import('../account/password.js')]),
    sessions: group('the browsers and command lines in which you are signed in', [
      () => import('../account/sessions.js'),
    ]),
    passkeys: group('your passkeys', [() => import('../account/passkeys.js')]),
    totp: group('your second factor, an authenticator app', [() => import('../account/totp.js')]),
  },
  'Operators:': {
    admin: group('operations for operators, over NATS', [
      () => import('../admin/bootstrap-admin.js'),
      () => import('../admin/admin.js'),
      () => import('../admin/erase-base-layer.js'),
      () => import('../admin/import-project-key.js'),
      () => import('../admin/audit-sinks.js'),
      () => import('../admin/doctor/run-doctor.js'),
    ]),
  },
  'Other:': {
    api: command(
      '[options] <method> <path>',
      'send a request to the API, with the credential of the other commands, and print the answer as it is',
      [() => import('./call-api.js')],
    ),
    complete: {
      about: 'print what can be the last word of a command line; the completion scripts call it',
      hidden: true,
      load: [() => import('./completion/print-completion.js')],
    },
    completion: command('[options] <shell>', 'print a completion script for your shell', [
      () => import('./completion/print-completion.js'),
    ]),
  },
}

/** Groups in groups, by all of their words. */
export const SUBGROUPS: Readonly<Record<string, Noun>> = {
  'account sign-ons': group('the identity providers that your account is linked with'),
  'totp recovery-codes': group('your recovery codes'),
  'organizations sign-in-policy': group('how members of an organization sign in', [
    () => import('../tenancy/sign-in-policy.js'),
  ]),
  'organizations deletions': group('deleted organizations'),
  'projects deletions': group('deleted projects'),
  'projects settings': group("a project's settings"),
  'org-tokens policy': group("the organization's policy for its tokens", [
    () => import('../tenancy/token-policy.js'),
  ]),
  'sso connections': group('the identity providers of an organization', [
    () => import('../tenancy/sso-connections.js'),
  ]),
  'sso role-mapping': group('the roles that groups at a provider give', [
    () => import('../tenancy/role-mapping.js'),
  ]),
  'sso domains': group('the email domains of an organization', [() => import('../tenancy/sso-domains.js')]),
  'sso partner-links': group('requests of partner teams to be linked with an organization', [
    () => import('../tenancy/partner-links.js'),
  ]),
  'devices attributes': group('attributes that devices of a project can have', [
    () => import('../devices/attributes.js'),
  ]),
  'devices deletions': group('deletions of many devices'),
  'devices claims': group('keys of devices that wait for approval', [
    () => import('../devices/device-claims.js'),
  ]),
  'devices keys': group('public keys that prove a device', [
    () => import('../devices/device-keys.js'),
    () => import('../devices/import-device-keys.js'),
  ]),
  'devices policy': group('the data policy of a project: limits and retention of the data of devices', [
    () => import('../devices/data-policy.js'),
  ]),
  'devices sampling': group('what the agent of a device sends, where that differs from the project', [
    () => import('../devices/sampling.js'),
  ]),
  'webhooks deliveries': group('deliveries of a webhook'),
  'positions policy': group('whether a project stores positions of devices, and for how long', [
    () => import('../location/position-policy.js'),
  ]),
  'access-points imports': group('imports of access points and radio cells', [
    () => import('../location/access-points/list-imports.js'),
  ]),
  'location coverage': group("where the organization's own access points are", [
    () => import('../location/show-coverage.js'),
  ]),
  'location fallback': group('another location service for scans that Bearing cannot locate', [
    () => import('../location/location-fallback.js'),
  ]),
  'location settings': group('the contribution settings of an organization', [
    () => import('../location/location-settings.js'),
  ]),
  'admin users': group('user accounts; for operators, over NATS'),
  'admin organizations': group('organizations of users; for operators, over NATS'),
  'admin partner-connections': group(
    'partner consoles, whose teams are organizations; for operators, over NATS',
    [() => import('../admin/partner-connections.js')],
  ),
  'admin signing-keys': group('rotate the signing keys of claims, in three steps', [
    () => import('../admin/keys/signing-keys.js'),
  ]),
  'admin peppers': group('rotate the peppers of secret hashes', [() => import('../admin/keys/peppers.js')]),
  'admin dead-letters': group('data that could not be stored or learned from; for operators, over NATS', [
    () => import('../admin/dead-letters.js'),
  ]),
  'admin stream-consumers': group('who reads the stream of device data; for operators, over NATS', [
    () => import('../admin/stream-consumers.js'),
  ]),
  'admin deletions': group('deleted organizations and projects; for operators, over NATS', [
    () => import('../admin/deletions.js'),
  ]),
  'admin map': group('the map of streets that the dashboard shows', [() => import('../admin/map-file.js')]),
}
