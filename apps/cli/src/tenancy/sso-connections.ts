import type { CallOutput } from '@bearing/client/call-types'
import { CLIENT_AUTHENTICATIONS } from '@bearing/contracts/identity/sso/sso-connection'
import { idOf, oneOf, required, answer, requireChange } from '../ground/arguments.js'
import type { Cells } from '../ground/output/cells.js'
import { ID, callVerb, listVerb } from '../session/verb.js'

const CONNECTION_ID = idOf('id of the connection', 'bearing sso connections list')

const FIELDS: Cells<CallOutput<'showSsoConnection'>> = {
  ...{ Name: 'name', Issuer: 'issuer', 'Client id': 'client_id' },
  'Client authentication': ({ client_authentication, has_client_secret }) =>
    client_authentication === 'private_key_jwt'
      ? client_authentication
      : has_client_secret
        ? 'client secret'
        : 'none: a public client',
  'JWKS URI': ({ jwks_path }) => (jwks_path === null ? undefined : `<URL of the gateway>${jwks_path}`),
  Scopes: ({ scopes }) => scopes.join(' '),
  ...{
    'Just in time': 'just_in_time',
    'Address trusted': 'email_trusted',
    'Address follows': 'follows_email',
  },
  'Role mapping': ({ role_mapping }) =>
    role_mapping
      ? `${String(role_mapping.rules.length)} rules for the claim ${role_mapping.claim}`
      : 'none: roles are given by hand',
  Enabled: 'enabled',
  'Redirect URI': ({ callback_path }) => `<URL of the gateway>${callback_path}`,
  'Back-channel logout URI': ({ backchannel_logout_path: path = '' }) => `<URL of the gateway>${path}`,
  'Sign in at': ({ sign_in_path }) => `<URL of the gateway>${sign_in_path}`,
  Id: 'id',
}

listVerb('sso connections list', {
  about: 'list the single sign-on connections of an organization',
  list: 'listSsoConnections',
  columns: { Name: 'name', Issuer: 'issuer', Enabled: 'enabled', Id: 'id' },
  empty: 'No identity providers yet. Add one: bearing sso connections create',
})

callVerb('sso connections show', {
  about: 'show a single sign-on connection',
  takes: { '<id>': CONNECTION_ID },
  examples: [ID],
  call: 'showSsoConnection',
  input: ({ id: connection_id }) => ({ connection_id }),
  show: FIELDS,
})

callVerb('sso connections create', {
  about: "connect the organization's OpenID provider; the client secret is read from standard input",
  takes: {
    '--name <name>': required('display name'),
    '--issuer <url>': required('issuer, exactly as in the discovery document of the provider'),
    '--client-id <id>': required('client id of Bearing at the provider'),
    '--public-client': 'a public client, without a client secret',
    '--private-key-jwt': {
      about: 'sign in at the provider with a key that Bearing creates, without a client secret',
      conflicts: ['publicClient'],
    },
    '--scope <scope...>': 'scopes (default: openid, email and profile)',
    '--just-in-time': 'add users with an email address in a verified domain as members at sign-in',
    '--trust-email': 'treat addresses in verified domains as verified if the provider does not say so',
    '--follow-email':
      'change the address of an account when the provider sends another one, in verified domains',
  },
  examples: ['--name Okta --issuer https://acme.okta.com --client-id 0oa1b2c3'],
  call: 'createSsoConnection',
  input: async ({ name, issuer, clientId, publicClient, scope, justInTime, ...flags }, _, cli) => ({
    name,
    issuer,
    client_id: clientId,
    client_secret: publicClient || flags.privateKeyJwt ? undefined : await cli.askSecret('the client secret'),
    client_authentication: flags.privateKeyJwt ? ('private_key_jwt' as const) : undefined,
    scopes: scope,
    just_in_time: justInTime,
    email_trusted: flags.trustEmail,
    follows_email: flags.followEmail,
  }),
  done: 'Connection created. Register its redirect URI at the provider.',
  show: FIELDS,
})

callVerb('sso connections set', {
  about: 'change a single sign-on connection; reads the discovery document of the provider again',
  takes: {
    '<id>': CONNECTION_ID,
    '--name <name>': 'display name',
    '--client-id <id>': 'client id of Bearing at the provider',
    '--new-secret': 'read a new client secret from standard input',
    '--client-authentication <way>': oneOf(
      'how to sign in at the provider; private_key_jwt creates a new key',
      CLIENT_AUTHENTICATIONS,
    ),
    '--just-in-time <answer>': answer(
      'add users with an email address in a verified domain as members at sign-in',
    ),
    '--trust-email <answer>': answer(
      'treat addresses in verified domains as verified if the provider does not say so',
    ),
    '--follow-email <answer>': answer(
      'change the address of an account when the provider sends another one, in verified domains',
    ),
    '--enabled <answer>': answer('allow sign-in; "no" ends its sessions'),
  },
  examples: [`${ID} --enabled no`],
  call: 'changeSsoConnection',
  input: async ({ id, ...flags }, _, cli) => {
    const { name, clientId, newSecret, justInTime, trustEmail, followEmail, enabled, clientAuthentication } =
      requireChange(flags)
    return {
      connection_id: id,
      ...{ name, client_id: clientId, just_in_time: justInTime, enabled },
      ...{ email_trusted: trustEmail, follows_email: followEmail },
      client_authentication: clientAuthentication,
      client_secret: newSecret && (await cli.askSecret('the client secret')),
    }
  },
  done: 'Connection changed.',
  show: FIELDS,
})

callVerb('sso connections delete', {
  about: 'delete a single sign-on connection, with its links and sessions',
  takes: { '<id>': CONNECTION_ID },
  examples: [ID],
  question: 'Delete the connection? Its links and sessions end.',
  call: 'deleteSsoConnection',
  input: ({ id: connection_id }) => ({ connection_id }),
  done: 'Connection deleted. Its sessions have ended.',
})
