import { DEFAULT_POSITION_POLICY } from '@bearing/contracts/location/positions/position-policy'
import { DEFAULT_DATA_POLICY } from '@bearing/contracts/management/data/data-policy'
import type { Value, Values } from '../wire/value.js'
import {
  CHANGES,
  DEPRECATED,
  FOLLOWS,
  IN_THE_PROVIDER,
  OF_THE_DEVICE,
  type Call,
  type Resource,
} from './resource.js'

const OF_A_MEMBER = { second_factor: CHANGES, last_sign_in_at: CHANGES }

/** Every resource. Attributes follow from the contracts of its operations. */
export const RESOURCES: readonly Resource[] = [
  {
    name: 'organization',
    summary: 'The organization of the provider. It exists before: Terraform takes it over.',
    create: 'renameOrganization',
    read: { show: 'showOrganization' },
    update: 'renameOrganization',
    delete: 'deleteOrganization',
    isAdopted: true,
    isProtected: true,
    without: { slug: IN_THE_PROVIDER },
  },
  {
    name: 'project',
    summary: 'A project: what devices send data to.',
    create: 'createProject',
    read: { list: 'listProjects', by: ['id', 'slug'] },
    update: 'renameProject',
    delete: 'deleteProject',
    isProtected: true,
    without: {},
  },
  {
    name: 'project_settings',
    summary: 'Permissions of the project key.',
    create: 'changeProjectSettings',
    read: { show: 'showProjectSettings' },
    update: 'changeProjectSettings',
    reset: { project_key_may_locate: false, project_key_may_contribute: false },
    isAdopted: true,
    without: {},
  },
  {
    name: 'webhook',
    summary: 'A URL that receives the events of a project. Its secret is shown by `bearing webhooks rotate`.',
    create: 'createWebhook',
    read: { show: 'showWebhook' },
    update: 'changeWebhook',
    delete: 'deleteWebhook',
    defaults: { paused: false },
    shownOtherwise: ['paused'],
    fromShown: ({ state = null }) => ({ paused: state === 'paused' }),
    without: {
      ...{ state: CHANGES, paused_reason: CHANGES, paused_at: CHANGES, failing_since: CHANGES },
      previous_secret_until: CHANGES,
    },
  },
  {
    name: 'member',
    summary: 'The role of a member of the organization. Users become members by an invitation.',
    create: 'setMemberRole',
    read: { list: 'listMembers', by: ['user_id'] },
    update: 'setMemberRole',
    delete: 'removeMember',
    isAdopted: true,
    without: { ...OF_A_MEMBER, projects: 'see `bearing_project_member`' },
  },
  {
    name: 'project_member',
    summary: 'The role of a member of the organization in a project.',
    create: 'setProjectMember',
    read: { list: 'listProjectMembers', by: ['user_id'] },
    update: 'setProjectMember',
    delete: 'removeProjectMember',
    isAdopted: true,
    without: {},
  },
  {
    name: 'invitation',
    summary: 'An invitation by email. Once it is accepted, destroying it changes nothing.',
    create: 'createInvitation',
    read: { list: 'listInvitations', by: ['id'] },
    delete: 'revokeInvitation',
    isGone: ({ state = null }) => state === 'revoked' || state === 'expired',
    without: {
      ...{ state: CHANGES, sent_at: CHANGES, expires_at: CHANGES, accepted_at: CHANGES, revoked_at: CHANGES },
      invited_by: CHANGES,
    },
  },
  {
    name: 'workload_trust',
    summary: 'Issuer, audience and claims that a workload must show for a token.',
    create: 'createWorkloadTrust',
    read: { list: 'listWorkloadTrusts', by: ['id'] },
    update: 'changeWorkloadTrust',
    delete: 'deleteWorkloadTrust',
    json: ['jwks'],
    without: { administers: FOLLOWS, has_pasted_keys: FOLLOWS, last_exchange_at: CHANGES },
  },
  {
    name: 'data_policy',
    summary: 'What the devices of a project may send, and how long it is kept.',
    create: 'changeDataPolicy',
    read: { show: 'showDataPolicy' },
    update: 'changeDataPolicy',
    reset: { ...DEFAULT_DATA_POLICY },
    isAdopted: true,
    without: {},
  },
  {
    name: 'position_policy',
    summary: 'Whether positions of devices are stored, and how long.',
    create: 'changePositionPolicy',
    read: { show: 'showPositionPolicy' },
    update: 'changePositionPolicy',
    reset: { ...DEFAULT_POSITION_POLICY },
    isAdopted: true,
    without: {},
  },
  {
    name: 'location_settings',
    summary: 'How long contributed scans are kept. Destroying it changes nothing.',
    create: 'changeLocationSettings',
    read: { show: 'showLocationSettings' },
    update: 'changeLocationSettings',
    isAdopted: true,
    without: { share_observations: DEPRECATED },
  },
  {
    name: 'location_fallback',
    summary: 'The external provider of positions that Bearing does not know.',
    create: 'setLocationFallback',
    read: { show: 'showLocationFallback' },
    update: 'setLocationFallback',
    delete: 'turnOffLocationFallback',
    isAdopted: true,
    secrets: ['key'],
    isGone: ({ url = null }) => url === null,
    without: { has_key: FOLLOWS },
  },
  {
    name: 'sign_in_policy',
    summary: 'How users have to sign in. Requires the API key of a user.',
    create: 'changeSignInPolicy',
    read: { show: 'showSignInPolicy' },
    update: 'changeSignInPolicy',
    reset: { sso_required: false, second_factor_required: false, device_logins: 'on' },
    isAdopted: true,
    without: {},
  },
  {
    name: 'sso_connection',
    summary: 'A connection to an OpenID provider. Requires the API key of a user.',
    create: 'createSsoConnection',
    read: { show: 'showSsoConnection' },
    update: 'changeSsoConnection',
    delete: 'deleteSsoConnection',
    defaults: { enabled: true },
    secrets: ['client_secret'],
    without: { has_client_secret: FOLLOWS },
  },
  {
    name: 'domain',
    summary: 'An email domain of the organization. Requires the API key of a user.',
    create: 'addSsoDomain',
    read: { list: 'listSsoDomains', by: ['domain'] },
    delete: 'deleteSsoDomain',
    without: { verified_at: 'see `bearing_domain_verification`' },
  },
  {
    name: 'domain_verification',
    summary: 'The verification of a domain, once its TXT record exists. Destroying it changes nothing.',
    create: 'verifySsoDomain',
    read: { list: 'listSsoDomains', by: ['domain'] },
    isAdopted: true,
    isGone: ({ verified_at = null }) => verified_at === null,
    without: { txt_record: 'see `bearing_domain`' },
  },
  {
    name: 'device_attribute',
    summary: 'An attribute that devices of a project can have. Destroying it deletes its values.',
    create: 'declareAttribute',
    read: { list: 'listAttributes', by: ['attribute'] },
    delete: 'deleteAttribute',
    shownOtherwise: ['attribute'],
    fromShown: ({ name = null }) => ({ attribute: name }),
    without: { name: FOLLOWS },
  },
  {
    name: 'device',
    summary: 'A registered device with its nickname and attributes. Destroying it deletes its data.',
    create: 'registerDevice',
    read: { show: 'showDevice' },
    update: 'changeDevice',
    delete: 'deleteDevice',
    defaults: { attributes: {} },
    shownOtherwise: ['attributes'],
    fromShown: attributesAsText,
    toInput: withDeclaredTypes,
    without: {
      ...{ hardware_version: OF_THE_DEVICE, software_type: OF_THE_DEVICE, software_version: OF_THE_DEVICE },
      ...{ first_seen_at: CHANGES, last_seen_at: CHANGES, chunk_count: CHANGES, chunk_bytes: CHANGES },
      sampling: 'agents change it with the device config',
    },
  },
]

function attributesAsText({ attributes = null }: Values): Values {
  const entries = Object.entries((attributes ?? {}) as Values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return { attributes: Object.fromEntries(entries) as Values }
}

/** Writes values of attributes, which are text in Terraform, as their declared types; removed ones are null. */
async function withDeclaredTypes(input: Values, prior: Values, call: Call): Promise<Values> {
  const { project_id = null, attributes = null } = input
  if (attributes === null) return input
  const { data = null } = await call('listAttributes', { project_id, per_page: 100 })
  const types = new Map((data as readonly Values[]).map(({ name = null, type = null }) => [name, type]))
  const written = Object.entries(attributes as Values).map(([name, value]) => [
    name,
    typed(value, types.get(name)),
  ])
  const removed = Object.keys((prior['attributes'] ?? {}) as Values).map((name) => [name, null])
  return { ...input, attributes: Object.fromEntries([...removed, ...written]) as Values }
}

function typed(value: Value, type: Value | undefined): Value {
  if (type === 'number') return Number(value)
  return type === 'boolean' && typeof value === 'string' ? value === 'true' : value
}
